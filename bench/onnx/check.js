// check.js - runs nets that `aji net export` wrote in ONNX Runtime, and compares their outputs with
// those of Aji. README.md says how it is started.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");
const { execFileSync } = require("child_process");

const TOLERANCE = 1e-4;
const TRUNK = ",trunk=";

// Small nets with every kind of block, norm and head.
const ARCHITECTURES = [
  "b2c16-fixup", "b2c16-batch-mish", "b2c16-renorm", "b2c16-fixscale-silu", "b2c16-fson-mish",
  "b2c16-fixed", "b2c16,activation=prelu", "b2c16-auxiliary-errors-qvalues-moves_left-score_scale-ladders-value_buckets-later_moves-root_variance-value_error-next_occupant-time_on_board-same_chain",
  "c16" + TRUNK + "(residual+pooled)*2",
  "c16-batch" + TRUNK + "residual(kernel=5)+residual",
  "c32-mish" + TRUNK + "nested+nested(pool=8)",
  "c32-fson-mish" + TRUNK + "nested(inner=12,layers=3)*2",
  "c24-mish" + TRUNK + "(attention(heads=3)+swiglu)*2",
  "c24-mish" + TRUNK + "(attention(heads=6,kv_heads=3,query=8,value=4)+swiglu(inner=32))*2",
  "c24-mish" + TRUNK + "(attention(heads=6,norm=layer)+ffn(inner=32,activation=relu2,norm=layer))*2",
  "c24-mish,start_kernel=1" + TRUNK + "embedding+encoder(heads=6,inner=32)*2",
  "c24-mish,start_kernel=1" + TRUNK + "embedding+encoder(heads=6,rotary=none,maps=smolgen)*2",
  "c24-mish" + TRUNK + "(attention(heads=6,maps=smolgen,map_form=points,side=9)+ffn)*2",
  "c24-mish" + TRUNK + "(attention(heads=3,maps=smolgen,map_form=offsets)+ffn)*2",
  "c24-mish" + TRUNK + "(attention(heads=6,rotary=none,tables=qkv)+ffn)*2",
  "c32-batch" + TRUNK + "bottleneck(layers=3)+broadcast+bottleneck",
  "c24-batch" + TRUNK + "residual+residual(dilation=2)*2",
  "b2c16-batch,head_kernel=3,policy_kernel=5,head_crelu=true",
  "b2c16,pooling=mean_max,head_mean_max=true", "b2c16-score_scale,score_scale_max=0.5",
  "b2c16,pooling=mean_max_stdev,head_mean_max=true,head_stdev=true",
  "b2c16-k5,start_center=0.3",
  "b2c16,score_mixtures=4", "b2c16-optimistic,policy_attention=12",
  "b2c16-optimistic,policy_attention=12,policy_embedding=24",
  "c16-mish" + TRUNK + "residual+lines+residual",
  "c16-mish" + TRUNK + "residual+ladder+residual+chain+residual",
  "c24-mish,tip=rms" + TRUNK + "(residual+attention(rotary=fixed))*2",
  "c16-mish" + TRUNK + "squeeze+gate+residual",
];

function usage(text) {
  console.error(text + "\nnode check.js --aji AJI --case ONNX_CASE [--size N|WxH]... [--examples] [NET...]");
  process.exit(2);
}

function readArguments() {
  const found = { aji: "", case: "", sizes: [], nets: [], examples: false };
  for (let i = 2; i < process.argv.length; i++) {
    const word = process.argv[i];
    if (word === "--aji" || word === "--case") found[word.slice(2)] = process.argv[++i];
    else if (word === "--size") found.sizes.push(process.argv[++i]);
    else if (word === "--examples") found.examples = true;
    else if (word.startsWith("-")) usage(`unknown option ${word}`);
    else found.nets.push(word);
  }
  if (!found.aji || !found.case) usage("--aji and --case are needed");
  if (!found.sizes.length) found.sizes = ["9", "7x5"];
  return found;
}

// The descriptions of nets in the tables of docs/NETWORKS.md.
function readExamples() {
  const text = fs.readFileSync(path.join(__dirname, "../../docs/NETWORKS.md"), "utf8");
  return [...text.matchAll(/^\| `([bc]\d\S*)` \|/gm)].map((row) => row[1]);
}

function loadRuntime() {
  for (const from of [process.cwd(), __dirname]) {
    try {
      return require(require.resolve("onnxruntime-node", { paths: [from] }));
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return usage("onnxruntime-node is not installed here; see README.md");
}

// Reads what onnx_case wrote: {input: {name: {dims, values}}, output: {...}}.
function readCase(file) {
  const bytes = fs.readFileSync(file);
  const end = bytes.indexOf("\n\n");
  const found = { input: {}, output: {} };
  let at = end + 2;
  for (const line of bytes.subarray(0, end).toString().split("\n")) {
    const [what, name, ...dims] = line.split(" ");
    const count = dims.reduce((product, dim) => product * Number(dim), 1);
    const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at,
      bytes.byteOffset + at + 4 * count));
    found[what][name] = { dims: dims.map(Number), values };
    at += 4 * count;
  }
  return found;
}

// The largest difference of two lists of numbers. If the root mean square of the wanted numbers is
// above 1, the difference is divided by it.
function difference(want, got) {
  let worst = 0, squares = 0;
  for (let i = 0; i < want.length; i++) {
    const d = Math.abs(want[i] - got[i]);
    if (Number.isNaN(d)) return Infinity;
    worst = Math.max(worst, d);
    squares += want[i] * want[i];
  }
  return worst / Math.max(1, Math.sqrt(squares / want.length));
}

async function check(runtime, options, folder, net, name, size) {
  const [width, height] = size.includes("x") ? size.split("x") : [size, size];
  const onnx = path.join(folder, "net.onnx"), file = path.join(folder, "case");
  execFileSync(options.aji, ["net", "export", "--onnx", onnx, "--size", size, net]);
  execFileSync(options.case, ["outputs", net, width, height, "5", "1", file]);
  const wanted = readCase(file);
  const session = await runtime.InferenceSession.create(onnx, { logSeverityLevel: 3 });
  const feeds = {};
  for (const [key, { dims, values }] of Object.entries(wanted.input))
    feeds[key] = new runtime.Tensor("float32", values, dims);
  const got = await session.run(feeds);
  let worst = 0, where = "";
  for (const [key, { dims, values }] of Object.entries(wanted.output)) {
    const same = got[key] && got[key].dims.join() === dims.join();
    const d = same ? difference(values, got[key].data) : Infinity;
    if (d >= worst) [worst, where] = [d, key];
  }
  await session.release();
  const good = worst <= TOLERANCE;
  console.log(`${good ? "same" : "DIFFERENT"}  ${worst.toExponential(1)} in ${where.padEnd(18)} ` +
    `${size.padEnd(5)} ${(fs.statSync(onnx).size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
  return good;
}

async function main() {
  const options = readArguments(), runtime = loadRuntime();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "aji-onnx-"));
  const cases = options.nets.map((net) => ({ net, name: path.basename(net) }));
  if (!cases.length) {
    for (const arch of options.examples ? readExamples() : ARCHITECTURES) {
      const net = path.join(folder, `${cases.length}.aji`);
      execFileSync(options.case, ["net", arch, "3", net]);
      cases.push({ net, name: arch });
    }
  }
  let wrong = 0, count = 0;
  for (const { net, name } of cases) {
    const only = /side=(\d+)/.exec(name);
    for (const size of only ? [only[1]] : options.sizes) {
      count++;
      try {
        if (!(await check(runtime, options, folder, net, name, size))) wrong++;
      } catch (error) {
        wrong++;
        console.log(`FAILED  ${size} ${name}: ${String(error.message).slice(0, 600)}`);
      }
    }
  }
  fs.rmSync(folder, { recursive: true });
  console.log(wrong ? `${wrong} of ${count} differ` : `all ${count} the same`);
  process.exitCode = wrong ? 1 : 0;
}

main();
