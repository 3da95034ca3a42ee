// Positions of a game: stones as a text of '.', 'X' and 'O', row by row, as the server sends them.

import GoBoard from '@sabaki/go-board';
import { pointOf } from './coordinates.js';
import { signOf } from './analysis.js';

const STONE = { '1': 'X', '-1': 'O', 0: '.' };

export const emptyBoard = (width, height) => GoBoard.fromDimensions(width, height);
export const vertexOf = (point, width) => [point % width, Math.floor(point / width)];
export const stonesOf = (board) => board.signMap.flat().map((sign) => STONE[sign]).join('');

export function boardOf(width, height, stones) {
  const board = emptyBoard(width, height);
  [...stones].forEach((stone, point) => {
    if (stone !== '.') board.set(vertexOf(point, width), stone === 'X' ? 1 : -1);
  });
  return board;
}

// The board after a move, which may be a pass. An illegal move is not refused.
export function played(board, color, name) {
  const point = pointOf(name, board.width, board.height);
  if (point < 0) return board.clone();
  return board.makeMove(signOf(color), vertexOf(point, board.width));
}

// The board after the first moves of a game of the server.
export function boardAfter(state, count) {
  let board = emptyBoard(state.width, state.height);
  for (const name of state.initial)
    board.set(vertexOf(pointOf(name, state.width, state.height), state.width), 1);
  for (const [color, name] of state.moves.slice(0, count)) board = played(board, color, name);
  return board;
}

// The points of the chain to which the stone at this point belongs.
export function chainOf(board, point) {
  return board.getChain(vertexOf(point, board.width)).map(([x, y]) => y * board.width + x);
}

// The point that a ko forbids after this move, or -1. `board` is the board after the move.
export function koAfter(board, [color, name]) {
  const { width, height } = board;
  const point = pointOf(name, width, height);
  const next = -signOf(color);
  const around = point < 0 ? [] : board.getNeighbors(vertexOf(point, width));
  const ko = around.find((vertex) => board.analyzeMove(next, vertex).ko);
  return ko ? ko[1] * width + ko[0] : -1;
}

// The same after the first moves of a game of the server. `stones` is the position then. The moves
// are played again only if their last one can have begun a ko: if it is a stone with one liberty.
export function koOf(state, count, stones) {
  const move = state.moves[count - 1];
  const point = move ? pointOf(move[1], state.width, state.height) : -1;
  if (point < 0) return -1;
  const board = boardOf(state.width, state.height, stones);
  const vertex = vertexOf(point, state.width);
  const isAlone = chainOf(board, point).length === 1;
  if (!isAlone || board.getLiberties(vertex).length !== 1) return -1;
  return koAfter(boardAfter(state, count), move);
}
