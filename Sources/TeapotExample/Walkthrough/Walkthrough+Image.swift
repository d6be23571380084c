import Teapot

extension Walkthrough {
    func showImage() {
        checklist.step("download an image") {
            // What is no image would be the error `missingImage`.
            let size = try answer { completion in
                client.teapot.downloadImage(path: "image/png") { result in
                    switch result {
                    case .success(let image, _): completion(.success(image.sizeText))
                    case .failure(_, let error): completion(.failure(error))
                    }
                }
            }
            return size
        }
    }
}
