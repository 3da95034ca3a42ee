// Makes a component that is rendered again only if one of its properties has changed.

import { Component, h } from 'preact';

const differ = (a, b) =>
  Object.keys(a).some((key) => a[key] !== b[key]) || Object.keys(b).some((key) => !(key in a));

export function memo(render) {
  return class Memo extends Component {
    shouldComponentUpdate(next) {
      return differ(this.props, next);
    }

    render(props) {
      return h(render, props);
    }
  };
}
