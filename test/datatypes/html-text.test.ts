import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractHtmlText } from '../../src/datatypes/index.ts';

test.each([
  ['O&#039;Brien &amp; Sons &lt;x@b.co&gt;', "O'Brien & Sons <x@b.co>"],
  ['<p>Hello<br>you</p><p>there</p>', 'Hello\nyou\n\nthere'],
  ['<div>a\n  b</div>', 'a b'],
  ['one\ntwo &amp; three', 'one\ntwo & three'],
  ['one\n<b>two</b>', 'one\ntwo'],
  ['<style>p { color: red }</style><!-- no -->yes<script>1 < 2</script>', 'yes'],
  ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
  ['<div>a</div>\n<div>b<br>c</div>', 'a\nb\nc'],
  ['From Ann <ann@example.com> &amp; <o:p>more</o:p>', 'From Ann <ann@example.com> & more'],
  ['a <b and no more', 'a <b and no more'],
  ['<p>See <https://example.com/x>.</p>', 'See <https://example.com/x>.'],
  ['a&nbsp;b', 'a b'],
  ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
  ['', ''],
])('%j shows as %j', (html, text) => {
  expect(extractHtmlText(html)).toBe(text);
});

test('whatever it is, it is a text', () => {
  fc.assert(fc.property(fc.string(), (html) => typeof extractHtmlText(html) === 'string'));
});
