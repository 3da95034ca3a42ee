// The only WebSocket of this tab. If the connection breaks, it is opened again. Then requests
// without an answer and unfinished analyses are sent again. This is safe, because the server
// ignores a move that it already has.

import { withToken } from './token.js';

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 15000;

const sockets = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`;

// The message of an analysis, with those turns only that have no answer yet.
function unfinished({ message, left }) {
  if (!left) return message;
  const { analyzeTurns, priorities, ...others } = message.query;
  const isLeft = (_, i) => left.has(analyzeTurns[i]);
  const query = { ...others, analyzeTurns: analyzeTurns.filter(isLeft) };
  if (priorities) query.priorities = priorities.filter(isLeft);
  return { ...message, query };
}

export class Connection {
  constructor(url = sockets() + withToken('/ws')) {
    this.url = url;
    this.state = 'connecting'; // later 'open' or 'lost'
    this.server = null; // what the server says about itself
    this.nets = []; // the nets of the server
    this.netsKnown = new Promise((resolve) => { this.noteNets = resolve; }); // when they have come
    this.count = 0;
    this.requests = new Map(); // by id: requests without an answer
    this.analyses = new Map(); // by id: unfinished analyses
    this.listeners = new Map(); // topic: set of functions
    this.wait = WAIT_FIRST_MS;
    this.timer = 0; // for the next attempt to connect; 0: no attempt is planned
    this.connect();
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => !document.hidden && this.retry());
  }

  connect() {
    this.timer = 0;
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => this.opened();
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = () => this.lost();
  }

  opened() {
    const requests = [...this.requests.values()];
    this.wait = WAIT_FIRST_MS;
    this.state = 'open';
    this.post({ op: 'hello', id: 'hello' });
    this.request('nets').then((answer) => {
      this.nets = answer.nets;
      this.noteNets();
      this.tell('nets', this.nets);
    }, () => {});
    this.tell('open', this); // useGame() opens its game again
    for (const request of requests) this.post(request.message);
    for (const analysis of this.analyses.values()) this.post(unfinished(analysis));
    this.tell('state', this.state);
  }

  lost() {
    this.state = 'lost';
    this.tell('state', this.state);
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, WAIT_MAX_MS);
  }

  // Tries to connect now instead of at the planned time, because the network is back, or because
  // the page is shown again or wants something from the server.
  retry() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.wait = WAIT_FIRST_MS;
    this.connect();
  }

  receive(message) {
    if (message.answer) return this.receiveAnalysis(message.answer);
    if (message.topic) return this.tell(message.topic, message);
    if (message.id === 'hello') {
      this.server = message.server || null;
      return this.tell('state', this.state);
    }
    const request = this.requests.get(message.id);
    this.requests.delete(message.id);
    if (!request) return this.failAnalysis(message);
    const { error } = message;
    if (error) request.reject(Object.assign(new Error(error.message), error));
    else request.resolve(message);
  }

  receiveAnalysis(answer) {
    const analysis = this.analyses.get(answer.id);
    if (!analysis) return;
    if (answer.warning) return;
    const { left } = analysis;
    if (left && !answer.isDuringSearch) left.delete(answer.turnNumber);
    const ended = left ? !left.size : !answer.isDuringSearch;
    if (answer.error || ended) this.analyses.delete(answer.id);
    analysis.listener(answer);
  }

  failAnalysis(message) {
    const analysis = this.analyses.get(message.id);
    if (!analysis || !message.error) return;
    this.analyses.delete(message.id);
    if (message.error.code === 'read_only') return; // the page then shows no evaluation
    analysis.listener({ id: message.id, error: message.error.message });
  }

  // Whether the server only shows runs. Then it refuses analyses and games.
  isReadOnly() {
    return Boolean(this.server && this.server.read_only);
  }

  post(message) {
    this.socket.send(JSON.stringify(message));
  }

  nextId(prefix) {
    this.count += 1;
    return prefix + this.count;
  }

  // Sends a request. Returns a promise of the answer. If the server answers with an error, the
  // promise fails with an error that has `code` and `message`.
  request(op, fields = {}) {
    const message = { op, id: this.nextId('r'), ...fields };
    return new Promise((resolve, reject) => {
      this.requests.set(message.id, { message, resolve, reject });
      if (this.state === 'open') this.post(message);
      else this.retry();
    });
  }

  // Analyses positions with the net of this id (null: the first net). The listener gets each
  // answer. Returns a function that ends the analysis.
  analyse(net, query, listener) {
    const id = this.nextId('a');
    // The turns without an answer; null: the query has a single position.
    const left = query.analyzeTurns ? new Set(query.analyzeTurns) : null;
    const analysis = { message: { op: 'analysis', id, net, query }, listener, left };
    this.analyses.set(id, analysis);
    if (this.state === 'open') this.post(analysis.message);
    return () => {
      if (!this.analyses.delete(id) || this.state !== 'open') return;
      this.post({ op: 'analysis.stop', id: this.nextId('s'), target: id });
    };
  }

  // Calls the listener with each message of the topic. Returns a function that ends this.
  on(topic, listener) {
    if (!this.listeners.has(topic)) this.listeners.set(topic, new Set());
    this.listeners.get(topic).add(listener);
    return () => this.listeners.get(topic).delete(listener);
  }

  tell(topic, message) {
    for (const listener of [...(this.listeners.get(topic) || [])]) listener(message);
  }
}
