import Teapot

/// The samples of the article "Plugins". `SamplesRunPluginsTests` runs them.
enum PluginSamples {
    static func overview(_ teapot: Teapot, token: String) {
        //: Plugins 1
    }

    //: Plugins 2

    //: Plugins 3

    //: Plugins 4

    static func credentials(_ teapot: Teapot, password: String, key: String) {
        //: Plugins 6
    }

    //: Plugins 7

    @MainActor
    static func counter(_ teapot: Teapot, _ otherTeapot: Teapot, show: @escaping (String) -> Void) {
        //: Plugins 8
    }

    //: Plugins 9

    //: Plugins 10
}

//: Plugins 5
