import { render } from 'preact';
import { App } from './app.tsx';
import { locale } from './language.ts';

document.documentElement.lang = locale;
render(<App />, document.body);

// Without this, a file dropped outside of a drop area would replace the page.
addEventListener('dragover', (event) => {
  if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
});
