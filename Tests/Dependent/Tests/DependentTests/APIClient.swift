import Teapot

class APIClient {
    var teapot: Teapot

    init(teapot: Teapot) {
        self.teapot = teapot
    }
}
