#!/usr/bin/env node
// Drives an engine with Sabaki's own parts: the npm packages @sabaki/gtp (its controller and state
// tracker) and @sabaki/go-board, and Sabaki's parser of analysis, src/modules/analysis.js.
//
//   NODE_PATH=DIR/node_modules node sabaki.js SABAKI/src/modules/analysis.js SIZE AJI gtp --net NET ...
//
// It plays a whole game as Sabaki does, by genmove and play. @sabaki/go-board checks each move. The
// script also analyses some positions with kata-analyze and lz-analyze, and visits earlier positions,
// as clicks in Sabaki's game tree do. The exit code is 1 if a check failed.
'use strict'
const fs = require('fs')
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')
const GoBoard = require('@sabaki/go-board')

const [parserPath, sizeText, program, ...programArgs] = process.argv.slice(2)
const size = +sizeText
const ANALYZE = ['analyze', 'kata-analyze', 'lz-analyze'] // Sabaki's order, from its settings
const GENMOVE = ['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze']
const INTERVAL = '5'
const faults = []
const count = {moves: 0, lines: 0, variations: 0, visits: 0, syncs: 0}

function check(good, what) {
  if (!good) {
    faults.push(what)
    console.log('  FAULT ' + what)
  }
  return good
}

function colorOf(sign) {
  return sign > 0 ? 'B' : 'W'
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function loadParser(path) {
  const text = fs.readFileSync(path, 'utf8') // only this module is loaded, not the modules that it imports
  return (await import('data:text/javascript,' + encodeURIComponent(text))).parseAnalysis
}

// Checks what Sabaki would draw for one line of analysis.
function checkLine(parse, line, board, sign, dialect) {
  const named = [...line.matchAll(/info move (\S+)/g)].map((match) => match[1])
  const variations = parse(line, board, dialect)
  const drawn = named.filter((name) => name !== 'pass').length // Sabaki shows no pass
  check(variations.length === drawn, `${drawn} moves, but ${variations.length} read of: ${line.slice(0, 200)}`)
  for (const {vertex, visits, winrate, scoreLead, moves} of variations) {
    const name = board.stringifyVertex(vertex)
    check(board.has(vertex) && board.get(vertex) === 0, `${name} is no free point`)
    check(visits >= 1 && Number.isInteger(visits), `${name}: ${visits} visits`)
    check(winrate >= 0 && winrate <= 100, `${name}: won by ${winrate}%`)
    check(dialect === 'integer' || Number.isFinite(scoreLead), `${name}: ahead by ${scoreLead}`)
    check(moves.length > 0 && board.stringifyVertex(moves[0]) === name, `${name}: its line begins elsewhere`)
    let after = board
    moves.forEach((move, i) => {
      const turn = i % 2 ? -sign : sign
      const seen = after.analyzeMove(turn, move)
      check(!seen.overwrite, `${name}: its line plays on a stone`)
      after = after.makeMove(turn, move)
    })
    count.variations++
    count.visits = Math.max(count.visits, visits)
  }
  count.lines++
}

// Analyses a position as Sabaki's EngineSyncer does: reads the lines of the analysis, and ends it by another command.
async function analyse(controller, parse, name, board, sign, ms) {
  const dialect = name.startsWith('kata') ? 'float' : 'integer'
  let lines = 0
  const stream = controller.sendCommand({name, args: [colorOf(sign), INTERVAL]}, ({line}) => {
    if (!line.startsWith('info ')) return
    lines++
    checkLine(parse, line, board, sign, dialect)
  })
  await sleep(ms)
  const begun = Date.now()
  await controller.sendCommand({name: 'protocol_version'})
  const response = await stream
  check(!response.error, `${name} is answered by ${response.content.slice(0, 100)}`)
  check(lines > 0, `${name} told nothing within ${ms} ms`)
  check(Date.now() - begun < 1000, `${name} was ended in ${Date.now() - begun} ms`)
}

// Asks for a move as Sabaki does: by the command `name`, which also analyses, or by genmove if `name` is null.
async function generate(controller, parse, name, board, sign) {
  if (!name) return (await controller.sendCommand({name: 'genmove', args: [colorOf(sign)]})).content
  const dialect = name.startsWith('kata') ? 'float' : 'integer'
  let move = null
  await controller.sendCommand({name, args: [colorOf(sign), INTERVAL]}, ({line}) => {
    if (line.startsWith('info ')) checkLine(parse, line, board, sign, dialect)
    if (line.startsWith('play ')) move = line.slice('play '.length)
  })
  return move
}

async function stonesMatch(controller, board) {
  const alive = await controller.sendCommand({name: 'final_status_list', args: ['alive']})
  const dead = await controller.sendCommand({name: 'final_status_list', args: ['dead']})
  const theirs = `${alive.content} ${dead.content}`.split(/\s+/).filter((x) => x).sort()
  const ours = []
  for (let x = 0; x < board.width; x++)
    for (let y = 0; y < board.height; y++)
      if (board.get([x, y]) !== 0) ours.push(board.stringifyVertex([x, y]))
  check(JSON.stringify(theirs) === JSON.stringify(ours.sort()), `other stones: ${theirs} and ${ours}`)
}

async function playGame(controller, parse, commands) {
  const analyses = ANALYZE.filter((name) => commands.includes(name))
  const genmoves = [null, ...GENMOVE.filter((name) => commands.includes(name))]
  let board = GoBoard.fromDimensions(size, size)
  const history = []
  let sign = 1
  let passes = 0
  while (passes < 2 && history.length < 2 * size * size) {
    if (history.length % 4 === 0)
      for (const name of analyses) await analyse(controller, parse, name, board, sign, 150)
    const name = genmoves[history.length % genmoves.length]
    const move = await generate(controller, parse, name, board, sign)
    if (!check(move != null, `${name} named no move`) || move.toLowerCase() === 'resign') break
    const vertex = board.parseVertex(move)
    const seen = board.analyzeMove(sign, vertex)
    check(seen.pass || (!seen.overwrite && !seen.suicide), `${colorOf(sign)} ${move} is not possible`)
    board = board.makeMove(sign, vertex)
    history.push({name: 'play', args: [colorOf(sign), move]})
    passes = seen.pass ? passes + 1 : 0
    sign = -sign
    count.moves++
  }
  await stonesMatch(controller, board)
  return history
}

// Visits positions, as clicks in the game tree do. Sabaki's tracker then sends the missing moves, or undo, or the whole game again.
async function visitPositions(tracker, controller, history) {
  for (const length of [history.length - 3, 10, 11, 0, history.length, 5]) {
    const part = history.slice(0, Math.max(0, length))
    await tracker.sync({komi: 7, boardsize: [size, size], history: part})
    let board = GoBoard.fromDimensions(size, size)
    for (const {args} of part) board = board.makeMove(args[0] === 'B' ? 1 : -1, board.parseVertex(args[1]))
    await stonesMatch(controller, board)
    count.syncs++
  }
  const stones = ['C3', `${'ABCDEFGHJ'[size - 3]}${size - 2}`]
  await tracker.sync({komi: 0.5, boardsize: [size, size], history: [{name: 'set_free_handicap', args: stones}, {name: 'play', args: ['W', 'D4']}]})
  await tracker.sync({komi: 6.5, boardsize: [size, size - 2], history: [{name: 'play', args: ['B', 'D4']}]})
  count.syncs += 2
}

async function main() {
  const parse = await loadParser(parserPath)
  const controller = new Controller(program, programArgs)
  const tracker = new ControllerStateTracker(controller)
  controller.start()
  const ask = async (name, ...args) => (await controller.sendCommand({name, args})).content
  const commands = (await ask('list_commands')).split('\n')
  console.log(`${await ask('name')} ${await ask('version')}, GTP ${await ask('protocol_version')}, ${commands.length} commands`)
  await tracker.sync({komi: 7, boardsize: [size, size], history: []})
  const history = await playGame(controller, parse, commands)
  console.log(`game: ${history.map(({args}) => args[1]).join(' ')}; ${await ask('final_score')}`)
  await visitPositions(tracker, controller, history)
  const begun = Date.now()
  await controller.stop(3000)
  check(Date.now() - begun < 2900, 'quit took too long')
  console.log(`${count.moves} moves, ${count.lines} lines of analysis with ${count.variations} variations (${count.visits} visits at most), ${count.syncs} positions visited, ${faults.length} faults`)
  process.exit(faults.length ? 1 : 0)
}

main().catch((fault) => {
  console.log('fault:', fault)
  process.exit(1)
})
