extension CallPlan {
    /// The options of the request and the settings of the client on which the decisions depend.
    struct Rules: Sendable {
        var begun = Duration.zero
        /// The statuses of a success besides 200 to 299.
        var acceptedStatuses: Set<Int> = []
        var validate: (@Sendable (Teapot.Response) throws -> Void)?
        var retryPolicy: RetryPolicy?
        var deadline: Duration?
        /// The time before which an attempt must begin.
        var lastStart: Duration?
        /// The statuses that reject a credential; `nil` if requests get none.
        var rejectedStatuses: Set<Int>?
        /// Whether a request gets a credential before a server has asked for one.
        var isPreemptive = true
        /// Whether the caller gave the request an `Authorization`; `false` if requests get no credential.
        var hasOwnAuthorization = false
        /// Whether a body that broke off is resumed where it broke off.
        var resumes = false
    }

    /// The rules for a request, whose call begins now.
    // Not an initializer: an initializer copies its arguments.
    static func rules(for request: Teapot.Request, in context: Call.Context, _ options: Call.Options, at now: Duration)
        -> Rules
    {
        var rules = Rules(begun: now, acceptedStatuses: request.acceptedStatuses, resumes: options.resumes)
        // A sink has the body.
        if options.sink == nil { rules.validate = request.validate ?? context.settings.validate }
        rules.retryPolicy = request.retryPolicy ?? context.settings.retryPolicy
        rules.deadline = (request.deadline ?? context.settings.deadline).map { now + $0.bounded }
        rules.lastStart = rules.deadline
        if let end = rules.retryPolicy?.window.map({ now + $0.bounded }) {
            rules.lastStart = rules.lastStart.map { min($0, end) } ?? end
        }
        guard let authenticator = context.settings.authenticator, !authenticator.value.isRefreshedByCurrentTask else {
            return rules
        }
        rules.rejectedStatuses = authenticator.value.rejectedStatuses
        rules.isPreemptive = authenticator.value.isPreemptive
        rules.hasOwnAuthorization = request.headerFields[field: "Authorization"] != nil
        return rules
    }
}
