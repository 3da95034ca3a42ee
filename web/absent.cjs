// Replaces packages that the page does not need: @sabaki/sgf uses them only to read files and to
// guess encodings, which src/sgf_file.js does by TextDecoder.
module.exports = null;
