import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.body);

// A file that is dropped beside the place for it would open in place of the page.
addEventListener('dragover', (event) => {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
});
