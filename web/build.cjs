// Bundles the page and writes it as C, for src/serve/http/assets.c:
//   node build.cjs OUT.inc WORK-FOLDER
// The packages of package-lock.json are installed in the work folder, so that nothing is written
// beside the sources. The licences of the bundled packages become the file licences.txt of the
// page, and a copy of it is in the work folder. The same sources and the same Node always give the
// same bytes.
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');
const childProcess = require('child_process');

const SOURCE = path.join(__dirname, 'src');
const LOCK = path.join(__dirname, 'package-lock.json');
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

// A lock file with download addresses would tie every build to those addresses.
function checkLock() {
  if (fs.readFileSync(LOCK, 'utf8').includes('"resolved"'))
    throw new Error(`${LOCK} has download addresses: remove its lines "resolved"`);
}

// Installs the packages, unless those of this lock file are already installed.
function installPackages(work) {
  const done = path.join(work, 'installed-lock.json');
  if (fs.existsSync(done) && fs.readFileSync(done).equals(fs.readFileSync(LOCK))) return;
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    fs.copyFileSync(path.join(__dirname, name), path.join(work, name));
  const result = childProcess.spawnSync(
    'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'],
    { cwd: work, encoding: 'utf8' });
  if (result.status !== 0)
    throw new Error(`npm ci failed in ${work}:\n${result.stderr || result.error}`);
  fs.copyFileSync(LOCK, done);
}

// The licences of the packages that are in the bundle. They must go with each copy of it. `inputs`
// are the paths of the bundled files.
function licences(work, inputs) {
  const found = inputs.map((file) => file.match(/(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//));
  const names = [...new Set(found.filter((match) => match).map((match) => match[1]))].sort();
  const texts = names.map((name) => {
    const folder = path.join(work, 'node_modules', name);
    const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const text = fs.readFileSync(path.join(folder, 'LICENSE'), 'utf8').trim();
    return `The page of aji serve contains ${name} ${version}:\n\n${text}\n`;
  });
  return texts.join('\n');
}

// The files of the page: a map from a path to the bytes and the extension.
function bundle(work) {
  const esbuild = require(path.join(work, 'node_modules/esbuild'));
  const absent = path.join(__dirname, 'absent.cjs');
  const result = esbuild.buildSync({
    entryPoints: [path.join(SOURCE, 'app.jsx')],
    outdir: '/',
    bundle: true,
    splitting: true, // the page of runs is loaded when it is first shown
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'eof',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    nodePaths: [path.join(work, 'node_modules')],
    alias: { 'iconv-lite': absent, jschardet: absent, fs: absent },
    loader: { '.svg': 'dataurl' },
    logLevel: 'error',
  });
  const files = new Map([['/', [fs.readFileSync(path.join(SOURCE, 'index.html')), '.html']]]);
  for (const file of result.outputFiles)
    files.set(`/${path.basename(file.path)}`, [Buffer.from(file.contents), path.extname(file.path)]);
  const text = licences(work, Object.keys(result.metafile.inputs));
  files.set('/licences.txt', [Buffer.from(text), '.txt']);
  return files;
}

function toC(files) {
  const arrays = [];
  const rows = [];
  for (const [name, [bytes, extension]] of files) {
    const gzip = zlib.gzipSync(bytes, { level: 9 });
    gzip[9] = 255; // gzip's code for an unknown system, so that all systems give the same bytes
    const etag = crypto.createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const array = `FILE_${arrays.length}`;
    const lines = [...gzip].join(',').replace(/(.{90}[^,]*,)/g, '$1\n');
    arrays.push(`static const unsigned char ${array}[] = {\n${lines}};\n`);
    rows.push(`    {"${name}", "${TYPES[extension]}", "\\"${etag}\\"", ${array}, sizeof ${array}},\n`);
  }
  return `${arrays.join('')}static const Asset PAGE_FILES[] = {\n${rows.join('')}    {0}};\n`;
}

try {
  const [out, work] = process.argv.slice(2);
  fs.mkdirSync(work, { recursive: true });
  checkLock();
  installPackages(work);
  const files = bundle(work);
  fs.writeFileSync(path.join(work, 'licences.txt'), files.get('/licences.txt')[0]);
  fs.writeFileSync(`${out}.tmp`, toC(files));
  fs.renameSync(`${out}.tmp`, out);
} catch (error) {
  console.error(`error: the page cannot be built: ${error.message}`);
  process.exit(1);
}
