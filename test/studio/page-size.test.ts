import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { atStudio } from './at-studio.ts';

const page = fileURLToPath(new URL('../../dist/studio/page', import.meta.url));

it('sends the first view, in any language, in at most 200 kB', async () => {
  const { port } = await atStudio();
  const sentBytes = async (name: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.status, name).toBe(200);
    return Number(response.headers.get('content-length'));
  };
  const scripts = readdirSync(page).filter((name) => name.endsWith('.js'));
  const languages = scripts.filter((name) => /^[a-z]{2}-/.test(name));
  const always = scripts.filter((name) => !name.startsWith('editor-') && !languages.includes(name));
  const first = await Promise.all(['', 'page.css', 'icon.svg', ...always].map(sentBytes));
  const largest = Math.max(...(await Promise.all(languages.map(sentBytes))));
  expect(languages).toHaveLength(5);
  expect(first.reduce((sum, bytes) => sum + bytes, largest)).toBeLessThan(200_000);
});

it('sends the page as it is to what takes no gzip', async () => {
  const { port } = await atStudio();
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': 'identity' } });
  expect(response.headers.get('content-encoding')).toBe(null);
  expect(await response.text()).toContain('<!doctype html>');
});
