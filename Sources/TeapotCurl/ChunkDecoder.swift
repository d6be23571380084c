#if os(Linux)
    import Teapot

    /// Decodes the chunked coding (RFC 9112, section 7.1), and knows where it ends. libcurl does not say where, and waits for the rest of the
    /// request. It also checks the same bytes afterwards, and fails if they are not chunks.
    struct ChunkDecoder {
        private enum State {
            /// In the digits of a size.
            case size(Int)
            /// In the rest of that line.
            case sizeEnd(Int)
            /// Before so many bytes.
            case data(Int)
            /// Before the end of a line.
            case dataEnd
            /// In a line of the trailers.
            case trailer(isEmpty: Bool)
            case end
        }

        private var state = State.size(0)

        /// Whether all chunks and the trailers are complete.
        var isComplete: Bool { if case .end = state { true } else { false } }

        /// Decodes the next bytes.
        mutating func decode(_ bytes: Data) -> Data {
            var decoded = Data()
            bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                var position = 0
                while position < bytes.count {
                    if case .data(let count) = state {
                        let end = min(position + count, bytes.count)
                        decoded.append(start + position, count: end - position)
                        state = position + count > end ? .data(position + count - end) : .dataEnd
                        position = end
                    } else {
                        take(start[position])
                        position += 1
                    }
                }
            }
            return decoded
        }

        private mutating func take(_ byte: UInt8) {
            let isLineEnd = byte == UInt8(ascii: "\n")
            switch state {
            case .size(let size):
                if let digit = PercentEncoding.value(ofDigit: byte), size < 1 << 48 {
                    state = .size(size << 4 + Int(digit))
                } else {
                    state = .sizeEnd(size)
                    if isLineEnd { take(byte) }
                }
            case .sizeEnd(let size): if isLineEnd { state = size > 0 ? .data(size) : .trailer(isEmpty: true) }
            case .dataEnd: if isLineEnd { state = .size(0) }
            case .trailer(let isEmpty):
                if isLineEnd {
                    state = isEmpty ? .end : .trailer(isEmpty: true)
                } else if byte != UInt8(ascii: "\r") {
                    state = .trailer(isEmpty: false)
                }
            case .data, .end: break
            }
        }
    }
#endif
