import Teapot

extension Walkthrough {
    func showImage() async {
        await checklist.step("download an image (closure)") {
            let result = await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<String, TeapotError>, Never>) in
                // A body that is not an image would be the error `missingImage`.
                client.teapot.downloadImage(path: "image/png") { result in
                    switch result {
                    case .success(let image, _): continuation.resume(returning: .success(image.sizeText))
                    case .failure(_, let error): continuation.resume(returning: .failure(error))
                    }
                }
            }
            return try result.get()
        }
    }
}
