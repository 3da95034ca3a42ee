import { render } from 'preact';
import './app.css';
render(<h1>Aji</h1>, document.getElementById('app'));
