@testable import Teapot
import TestTraits
import Testing

/// Names of header fields, query items, members and elements, and whether what they name is a secret.
@Suite(.inTurn)
struct SecretNameTests {
    private static let secrets = [
        "password", "Password", "passwords", "userPassword", "user_passwords", "X-Userpassword", "newpassword1",
        "PASSWORD_CONFIRMATION", "pass_word", "passwordHash", "oldpasswordagain", "passwd", "db_passwd", "passphrase",
        "PassPhrases", "passcode", "pass", "Pass", "user_pass", "smtp.pass", "dbpass", "pwd", "pwd2", "userpwd[pwd]",
        "pin", "PIN", "pinCode", "pin_code", "user.pin", "X-Pin", "secret", "secrets", "Secret", "client_secret",
        "clientSecrets", "X-Clientsecret", "topsecret", "secret_id", "secret2", "webhook-secret-v2", "token", "tokens",
        "Token", "X-Mytoken", "accessToken", "access_tokens", "ACCESSToken", "refreshtoken", "idToken", "id_token_hint",
        "csrfToken", "XSRF-TOKEN", "X-CSRF", "csrf_tokens", "deviceTokens", "token1", "token_id", "user[token]",
        "auth.token.value", "oauth_token", "oauth2Token", "bearer", "bearer_token", "jwt", "JWTs", "id_jwt", "key",
        "apiKey", "api_key", "API-KEYS", "apikey", "myapikey", "X-Api-Key", "X-API-Key-2", "appKey", "X-Appkey",
        "accessKey", "access_key_id", "secretAccessKey", "privatekey", "private_keys", "PrivateKey", "signing-key",
        "encryptionKey2", "Sessionkey", "session_key", "master_key", "X-Masterkey", "hmacKey", "ssh.key", "auth",
        "Auth", "X-Auth", "X-Auth-User", "auth_code", "authorization", "Authorizations", "X-Forwarded-Authorization",
        "authentication", "credential", "credentials", "X-Amz-Credential", "user_credentials", "signature",
        "signatures", "X-Hub-Signature-256", "sig", "sid", "SID", "connect.sid", "session", "Session", "sessionId",
        "session_id", "sessionids", "PHPSESSID", "JSESSIONID", "ASPSESSIONIDQQ", "X-Session", "session_state", "cookie",
        "cookies", "Set-Cookie2", "otp", "OTPs", "totp", "totp_code", "code_verifier", "client_assertion",
        "recovery_codes", "verificationCode",
        "Proxy-Authorization", "Ocp-Apim-Subscription-Access-Key", "DD-APPLICATION-KEY", "X-Functions-Key",
    ]

    private static let others = [
        "pinned", "pins", "pinning", "pinnedAt", "pinterest", "spin", "opinion", "shipping", "is_pinned", "compass",
        "compasses", "bypass", "bypassed", "trespass", "passage", "passenger", "passed", "passive", "passport",
        "passthrough", "encompassing", "surpass", "tokenize", "tokenizer", "tokenized", "tokenization", "token_type",
        "tokenType", "access_token_expires_at", "token_expires_in", "expires_in", "token_endpoint", "token_count",
        "max_tokens", "maxTokens", "total_tokens", "prompt_tokens", "completion_tokens", "tokens_used",
        "secretary", "secretariat", "secretion", "passwordless", "passwordless_login",
        "password_length", "passwordPolicy", "password_required", "password_expires_on", "pin_required", "pass_count",
        "secret_name", "cookie_name", "session_timeout", "sessions", "session_count", "auth_time", "auth_method",
        "auth_methods_supported", "authentication_required", "signature_algorithm", "oauth_signature_method",
        "oauth_version", "OAuth", "oauth2", "X-OAuth-Scopes", "author", "authors", "authored", "authority", "authentic",
        "authenticated", "is_authorized", "reauthorize", "monkey", "turkey", "keyboard", "keys", "key1", "keyword",
        "X-Keyword", "hotkeys", "primaryKey", "foreign_key", "public_key", "publicKey", "Idempotency-Key", "cache-key",
        "partitionKey", "sort_key", "sort_key_1", "rowKey", "object_key", "key_id", "keyId", "keyType", "possession_id",
        "obsession", "sidebar", "inside", "side", "resident", "design", "designer", "signal", "signed", "assign",
        "assigned", "sign", "significant", "cookiecutter", "forbearer", "jwtish", "option", "adopt", "laptop",
        "otpional", "topology", "id", "name", "username", "user", "email", "page", "q", "query", "limit", "offset",
        "status", "code", "state", "type", "nonce", "scope", "grant_type", "Content-Type", "Content-Length", "Accept",
        "ETag", "Location", "Host", "User-Agent", "X-Request-Id", "Access-Control-Allow-Credentials",
        "Access-Control-Expose-Headers",
        "", "WWW-Authenticate", "-", "ü", "😀",
    ]

    private static let names = secrets.map { ($0, true) } + others.map { ($0, false) }

    @Test(arguments: names) func `names a secret, or does not`(name: String, isSecret: Bool) {
        #expect(SecretPolicy.standard.isSecret(name) == isSecret)
        #expect(SecretPolicy.standard.isLeftBehind(name) == isSecret)
        #expect(!SecretPolicy.off.isSecret(name))
    }
}
