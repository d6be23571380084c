// Names that Teapot has, too, in a module such as Alamofire, Moya or GRPCCore.

package protocol Authenticator: Sendable {}
package enum Credential {}
package enum Endpoint {}
package enum RetryPolicy {}
