package configs

import (
	"archive/zip"
	"bytes"
	"embed"
	"io/fs"
	"syscall/js"
)

// shipped holds the files that the page provides, in place of all shipped files. They are a zip archive in the
// property sparFiles of the global object.
var shipped = ofPage()

func ofPage() fs.FS {
	held := js.Global().Get("sparFiles")
	if held.IsUndefined() {
		return embed.FS{}
	}
	data := make([]byte, held.Length())
	js.CopyBytesToGo(data, held)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return embed.FS{} // every read then says that the file is not there
	}
	return archive
}
