import Foundation

/// Two pictures of a teapot, drawn for this server. Whoever decodes them can check the sizes.
enum SampleImages {
    /// 235 bytes, 40 by 30 pixels.
    static let png = decoded(
        """
        iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAAsklEQVR42mP89e0Nw0AAJoYBAqMWD3+LWUjVUGdjg1W86ciR0aAeVBbviAsYAI
        shtkJIRpKKzB1xAcfuYVdvpSTCwMDgsWgDQb+SlqrRtOFXhmY9pl6PRRuI8jGRtqIZjVUvXJyJPkkJzVai4pgM7+IPA6J8TCNbySkyKbeSHnGM
        J3eNltWDxWI8kURJBBPlY/LsJqhrcMcxqZ4mRj3J1SK1nMhIRhcGq/WkhgrjiOs7AQA+l0wOfCcPRwAAAABJRU5ErkJggg==
        """
    )

    /// 481 bytes, 32 by 24 pixels.
    static let jpeg = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4
        x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAY
        ACADASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAQGBQP/xAAnEAACAAQFBAIDAAAAAAAAAAABAgADBBEFEhMhURVBYXEUIjGhwf/EAB
        cBAAMBAAAAAAAAAAAAAAAAAAECAwD/xAAbEQADAAMBAQAAAAAAAAAAAAAAAQIDERIhMf/aAAwDAQACEQMRAD8Ar4SxXEOm0yztLUzOFtmt2J48
        Q7EjiNW9fNbOTpA/RPwBxtzE6eiuOOmUOFYh1KmadpaeVyts1+wPHmHCwBAJAJNh5iOo58yifNTsV3uVvs3uNmlop9dMFVXTGC3DS0VrcHbgfu
        Aq2PWLn1vw2YwK/BZus0ylAZGN8lwCv8tBBDNJk5ty9o502CVEyYPkASpYO+4JPq0USqFUKoAAFgB2gggJJGu3f0//2Q==
        """
    )

    private static func decoded(_ text: String) -> Data {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    }
}
