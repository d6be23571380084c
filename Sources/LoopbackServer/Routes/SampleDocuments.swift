/// Documents of three kinds, written for this server.
enum SampleDocuments {
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <menu house="The Loopback">
            <tea name="Assam" minutes="4">Malty &amp; strong</tea>
            <tea name="Sencha" minutes="2">Green</tea>
        </menu>

        """

    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>How to make tea</title></head>
        <body>
        <h1>How to make tea</h1>
        <p>Warm the pot. Add the leaves. Pour the water, and wait.</p>
        </body>
        </html>

        """

    static let utf8 = """
        <h1>Tea, in the scripts of those who drink it</h1>
        <p>té · thé · čaj · τσάι · чай · Çay · שָׁי · شاي · चाय · ชา · trà · 茶 · お茶 · 차 · 🍵</p>

        """
}
