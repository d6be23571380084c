import Teapot

/// The samples of the article "Clients from an OpenAPI document". `SamplesRunGeneratedClientsTests` runs them.
enum GeneratedClientSamples {
    static func client() throws -> Client {
        //: GeneratedClients 2
        return client
    }
}

//: GeneratedClients 1
