import Foundation
@testable import Teapot
import TestTraits
import Testing

/// Names of header fields, query items, members and elements, and whether what they name is a secret.
@Suite(.inTurn)
struct SecretNameTests {
    private static let secrets = [
        "xtoken", "XToken", "APItoken", "CSRFtoken", "JWTtoken", "password", "Password", "userPassword",
        "X-Userpassword", "newpassword1", "PASSWORD_CONFIRMATION", "pass_word",
        "passwordHash", "oldpasswordagain", "passwd", "db_passwd", "passphrase", "passcode", "pass", "Pass",
        "user_pass",
        "smtp.pass", "dbpass", "pwd", "pwd2", "userpwd[pwd]", "pin", "PIN", "pinCode", "pin_code", "user.pin", "X-Pin",
        "secret", "Secret", "client_secret", "X-Clientsecret", "topsecret", "secret_id", "secret2", "webhook-secret-v2",
        "token", "Token", "X-Mytoken", "accessToken", "ACCESSToken", "refreshtoken", "idToken", "id_token_hint",
        "csrfToken", "XSRF-TOKEN", "X-CSRF", "token1", "token_id", "user[token]", "auth.token.value", "oauth_token",
        "oauth2Token", "bearer", "bearer_token", "jwt", "id_jwt", "apiKey", "api_key", "apikey", "myapikey",
        "X-Api-Key", "X-API-Key-2", "appKey", "X-Appkey", "accessKey", "access_key_id", "secretAccessKey", "privatekey",
        "PrivateKey", "signing-key", "encryptionKey2", "Sessionkey", "session_key", "master_key", "X-Masterkey",
        "hmacKey", "ssh.key", "auth", "Auth", "X-Auth", "X-Auth-User", "auth_code", "authorization",
        "X-Forwarded-Authorization", "authentication", "credential", "X-Amz-Credential", "signature",
        "X-Hub-Signature-256", "sig", "sid", "SID", "connect.sid", "session", "Session", "sessionId", "session_id",
        "PHPSESSID", "JSESSIONID", "ASPSESSIONIDQQ", "X-Session", "session_state", "cookie", "Set-Cookie2", "otp",
        "totp", "totp_code", "code_verifier", "client_assertion", "recovery_codes", "verificationCode",
        "Proxy-Authorization", "Ocp-Apim-Subscription-Access-Key", "DD-APPLICATION-KEY", "X-Functions-Key",
        // What says which key it is.
        "account_key", "AccountKey", "app-key", "auth_key", "client_key", "consumerKey", "aes_key", "admin_key",
        "license_key", "root_key", "server_key", "service_key", "shared_key", "SharedAccessKey", "storage_key",
        "stream_key", "subscription_key", "user_key", "recovery_key", "functions_key",
        // As they stand in the APIs of clouds.
        "SecretAccessKey", "AccessKeyId", "SessionToken", "X-Amz-Security-Token", "X-Vault-Token", "client_token",
        "private-token", "PRIVATE-TOKEN", "X-Shopify-Access-Token", "X-Goog-Api-Key", "sas_token", "upload_token",
    ]

    /// Those that are secrets of a header field only.
    private static let fields = ["sign", "key1", "X-Parse-Key", "deploy_key"]

    private static let others = [
        // Several, which are counted, or have names themselves.
        "passwords", "user_passwords", "PassPhrases", "secrets", "clientSecrets", "tokens", "access_tokens",
        "csrf_tokens", "deviceTokens", "JWTs", "API-KEYS", "apikeys", "private_keys", "Authorizations", "credentials",
        "Credentials", "user_credentials", "signatures", "sessions", "sessionids", "cookies", "OTPs", "pins", "keys",
        "max_tokens", "maxTokens", "total_tokens", "prompt_tokens", "completion_tokens", "tokens_used",
        "cache_read_input_tokens", "api_keys_count", "assertions",
        // A place in a list, or in a stream of changes.
        "NextToken", "nextToken", "next_token", "nexttoken", "pageToken", "page_token", "nextPageToken",
        "next_page_token", "previousToken", "prevPageToken", "start_token", "startingToken", "ContinuationToken",
        "NextContinuationToken", "continuation-token", "cursor_token", "syncToken", "nextSyncToken", "resume_token",
        "resumptionToken", "changeToken", "deltaToken", "cancellation_token", "paginationToken",
        // Something about a secret.
        "has_password", "hasPassword", "is_secret", "isToken", "requires_pin", "can_reset_password", "pin_count",
        "token_count", "password_set", "password_attempts",
        // What else a key is for.
        "key", "Key", "routing_key", "routingKey", "x-dead-letter-routing-key", "issue_key", "issueKey", "parent_key",
        "project_key", "config_key", "sortKey", "map_key", "EncryptionKeyType", "natural-key", "etag_key", "KeyCount",
        "pinned", "pinning", "pinnedAt", "pinterest", "spin", "opinion", "shipping", "is_pinned", "compass",
        "compasses", "bypass", "bypassed", "trespass", "passage", "passenger", "passed", "passive", "passport",
        "passthrough", "encompassing", "surpass", "tokenize", "tokenizer", "tokenized", "tokenization", "token_type",
        "tokenType", "access_token_expires_at", "token_expires_in", "expires_in", "token_endpoint",
        "secretary", "secretariat", "secretion", "passwordless", "passwordless_login",
        "password_length", "passwordPolicy", "password_required", "password_expires_on", "pin_required", "pass_count",
        "secret_name", "cookie_name", "session_timeout", "session_count", "auth_time", "auth_method",
        "auth_methods_supported", "authentication_required", "signature_algorithm", "oauth_signature_method",
        "oauth_version", "OAuth", "oauth2", "X-OAuth-Scopes", "author", "authors", "authored", "authority", "authentic",
        "authenticated", "is_authorized", "reauthorize", "monkey", "turkey", "keyboard", "keyword",
        "X-Keyword", "hotkeys", "primaryKey", "foreign_key", "public_key", "publicKey", "Idempotency-Key", "cache-key",
        "partitionKey", "sort_key", "sort_key_1", "rowKey", "object_key", "key_id", "keyId", "keyType", "possession_id",
        "obsession", "sidebar", "inside", "side", "resident", "design", "designer", "signal", "signed", "assign",
        "assigned", "significant", "cookiecutter", "forbearer", "jwtish", "option", "adopt", "laptop",
        "otpional", "topology", "id", "name", "username", "user", "email", "page", "q", "query", "limit", "offset",
        "status", "code", "state", "type", "nonce", "scope", "grant_type", "Content-Type", "Content-Length", "Accept",
        "ETag", "Location", "Host", "User-Agent", "X-Request-Id", "Access-Control-Allow-Credentials",
        "Access-Control-Expose-Headers", "Sec-WebSocket-Key", "Surrogate-Key",
        "", "WWW-Authenticate", "-", "ü", "😀",
    ]

    private static let names = secrets.map { ($0, true) } + (fields + others).map { ($0, false) }

    @Test(arguments: names) func `names a secret, or does not`(name: String, isSecret: Bool) {
        #expect(SecretPolicy.standard.isSecret(name) == isSecret)
        let isKey =
            (name.lowercased().hasSuffix("key") && name.lowercased() != "turkey") && !Self.harmless.contains(name)
        #expect(SecretPolicy.standard.isLeftBehind(name) == (isSecret || Self.fields.contains(name) || isKey))
        #expect(
            SecretPolicy.standard.isSecret(name, in: .item)
                == (isSecret || ["key", "code"].contains(name.lowercased()))
        )
        #expect(!SecretPolicy.off.isSecret(name))
        #expect(!SecretPolicy.standard.removing([name.uppercased()]).isSecret(name))
    }

    /// Keys that are no secrets in header fields, either.
    private static let harmless: Set = [
        "primaryKey", "foreign_key", "public_key", "publicKey", "Idempotency-Key", "cache-key", "partitionKey",
        "sort_key",
        "sortKey", "rowKey", "object_key", "routing_key", "routingKey", "x-dead-letter-routing-key", "issue_key",
        "issueKey", "Sec-WebSocket-Key", "Surrogate-Key", "monkey",
    ]

    @Test func `a key is one in the query of a URL only`() {
        let policy = SecretPolicy.standard
        let texts = [
            "https://h/a?key=hush&b=1", "/a?b=1&key=hush", "see https://h/a?x=1&y=2&key=hush now", "?key=hush",
            #"{"next":"/a?page=2&key=hush"}"#,
        ]
        for text in texts { #expect(!policy.redacted(text: text).contains("hush"), "\(text)") }
        let others = ["key=hush", "a=1&key=hush&b=2", "what? key=hush", "?a=1 &key=hush", #"{"key":"hush"}"#]
        for text in others {
            #expect(policy.redacted(text: text) == text)
            #expect(!policy.adding(["key"]).redacted(text: text).contains("hush"))
        }
        #expect(policy.removing(["Key"]).redacted(text: texts[0]) == texts[0])
        // Each is looked at once.
        let long = String(repeating: "&key=hush", count: 100_000)
        #expect(policy.redacted(text: long) == long)
        #expect(!policy.redacted(text: "?" + long).contains("hush"))
    }

    /// The verdict on a name: a secret everywhere, in a query or a form (and as a member, if the JSON requests a token), in a header
    /// field, or nowhere.
    enum Verdict { case secret, item, field, none }

    /// The parameters, members and header fields of the specifications, each with its verdict.
    private static let parameters: [(source: String, names: [(String, Verdict)])] = [
        (
            "RFC 6749",
            [
                ("client_id", .none), ("client_secret", .secret), ("response_type", .none), ("scope", .none),
                ("state", .none), ("redirect_uri", .none), ("error", .none), ("error_description", .none),
                ("error_uri", .none), ("grant_type", .none), ("code", .item), ("access_token", .secret),
                ("token_type", .none), ("expires_in", .none), ("username", .none), ("password", .secret),
                ("refresh_token", .secret),
            ]
        ),
        ("RFC 7009", [("token", .secret), ("token_type_hint", .none)]),
        (
            "RFC 7521 and 7523",
            [("assertion", .secret), ("client_assertion", .secret), ("client_assertion_type", .none)]
        ),
        ("RFC 7636", [("code_verifier", .secret), ("code_challenge", .none), ("code_challenge_method", .none)]),
        (
            "RFC 7662",
            [
                ("active", .none), ("exp", .none), ("iat", .none), ("nbf", .none), ("sub", .none), ("aud", .none),
                ("iss", .none), ("jti", .none), ("token_type", .none), ("username", .none),
            ]
        ),
        (
            "RFC 8628",
            [
                // Whoever knows it can sign the device in as somebody else (section 5.1).
                ("device_code", .secret), ("user_code", .secret), ("interval", .none),
                // In a URL, its `user_code` is found.
                ("verification_uri", .none), ("verification_uri_complete", .none),
            ]
        ),
        (
            "RFC 8693",
            [
                ("resource", .none), ("audience", .none), ("requested_token_type", .none), ("subject_token", .secret),
                ("subject_token_type", .none), ("actor_token", .secret), ("actor_token_type", .none),
                ("issued_token_type", .none), ("act", .none), ("may_act", .none),
            ]
        ),
        ("RFC 9101 and 9126", [("request", .none), ("request_uri", .none)]),
        ("RFC 9449", [("DPoP", .secret), ("DPoP-Nonce", .none), ("dpop_jkt", .none)]),
        (
            "OpenID Connect",
            [
                ("nonce", .none), ("display", .none), ("prompt", .none), ("max_age", .none), ("ui_locales", .none),
                ("claims", .none), ("claims_locales", .none), ("acr_values", .none), ("registration", .none),
                ("response_mode", .none), ("id_token", .secret), ("id_token_hint", .secret), ("login_hint", .none),
                ("logout_hint", .none), ("logout_token", .secret), ("post_logout_redirect_uri", .none),
                ("session_state", .secret), ("sid", .secret), ("at_hash", .none), ("c_hash", .none), ("azp", .none),
                ("acr", .none), ("amr", .none), ("auth_time", .none), ("auth_req_id", .secret),
                ("binding_message", .none), ("registration_access_token", .secret), ("registration_client_uri", .none),
            ]
        ),
        (
            "SAML",
            [
                ("SAMLRequest", .none), ("SAMLResponse", .secret), ("SAMLart", .secret), ("RelayState", .none),
                ("SigAlg", .none), ("Signature", .secret), ("SAMLEncoding", .none),
                ("AssertionConsumerServiceURL", .none),
            ]
        ),
        ("CAS and UMA", [("ticket", .item), ("service", .none), ("claim_token", .secret), ("pct", .none)]),
        (
            "cards and second factors",
            [
                ("mfa_code", .secret), ("mfaCodes", .secret), ("2fa_code", .secret), ("twoFactorCode", .secret),
                ("sms_code", .secret), ("one_time_code", .secret), ("backup_codes", .secret), ("cvv", .secret),
                ("cvv2", .secret), ("CVC", .secret), ("card[cvc]", .secret), ("security_code", .secret),
                ("card_number", .secret), ("cardNumber", .secret), ("card[number]", .secret), ("cc_number", .secret),
                ("card_number_length", .none), ("cvc_check", .none), ("card_type", .none), ("card", .none),
                ("number", .none), ("assertions", .none), ("assertion_method", .none),
                ("device_code_expires_in", .none),
                ("error_code", .none), ("status_code", .none), ("country_code", .none), ("time_code", .none),
                ("ticket_id", .none), ("ticketing", .none), ("creditcard_number", .secret), ("card_cvv_code", .secret),
                ("otpcode", .secret), ("twofactorcode", .secret), ("authorizationcode", .secret),
            ]
        ),
        (
            "header fields that sign",
            [
                ("CB-ACCESS-SIGN", .secret), ("KC-API-SIGN", .secret), ("OK-ACCESS-SIGN", .secret),
                ("X-BAPI-SIGN", .secret), ("API-Sign", .secret), ("ftx-sign", .secret), ("SIGN", .field),
                ("AccessSign", .field), ("X-Shopify-Hmac-SHA256", .secret), ("X-Alfresco-Ticket", .secret),
                ("OTCSTicket", .field), ("X-BAPI-SIGN-TYPE", .none), ("Sign-Type", .none), ("X-Design", .none),
                ("sign_type", .none), ("CB-ACCESS-TIMESTAMP", .none), ("apisign", .field), ("X-Sign-V2", .secret),
                ("X-Sign-SHA256", .secret), ("redesign", .none),
            ]
        ),
    ]

    private static let verdicts = parameters.flatMap { source, names in names.map { (source, $0.0, $0.1) } }

    @Test(arguments: verdicts) func `decides about each parameter`(source: String, name: String, verdict: Verdict) {
        let policy = SecretPolicy.standard
        #expect(policy.isSecret(name) == (verdict == .secret))
        let isSecretItem = verdict == .secret || verdict == .item
        #expect(policy.isSecret(name, in: .item) == isSecretItem)
        let lastOfField = ["sign", "ticket"].contains { name.lowercased().hasSuffix($0) } && !name.hasSuffix("esign")
        #expect(policy.isSecret(name, in: .field) == (verdict == .secret || lastOfField))
        #expect(policy.isLeftBehind(name) == policy.isSecret(name, in: .field))
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for item in [name, encoded] {
            let url = "https://h/cb?a=1&\(item)=hush&b=2"
            #expect(policy.redacted(text: url).contains("hush") == !isSecretItem, "\(item)")
            #expect(policy.redacted(text: "\(item)=hush&b=2").contains("hush") == !isSecretItem, "\(item)")
        }
        let member = policy.redacted(body: Data(#"{"\#(name)":"hush"}"#.utf8))
        #expect(member.contains("hush") == (verdict != .secret))
        #expect(policy.redacted([(name, "hush")]).contains("hush") == !policy.isSecret(name, in: .field))
        let all = [policy.adding(["x"]), .off].map { $0.redacted(text: "?\(name)=hush") }
        #expect(all[1] == "?\(name)=hush")
    }
}
