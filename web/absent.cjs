// Stands for packages that the page does without: @sabaki/sgf asks for them only to read files and
// to guess encodings, which TextDecoder does here.
module.exports = null;
