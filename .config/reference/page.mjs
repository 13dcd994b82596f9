// What every reference page begins with.

export const paths =
  'In the paths, `[]` is each entry of a list, and `NAME` is a name that you choose. A key that is not listed here is refused, with its line and the nearest key that exists.';

/** A page: its title, what it is about, and its sections as lists of lines. */
export function page(title, about, ...sections) {
  const note = '<!-- Written by `npm run docs` from the code. Do not edit. -->';
  const text = [`# ${title}`, note, about, ...sections.map((lines) => lines.join('\n').trim())].join('\n\n');
  return `${text.replaceAll(/\n{3,}/g, '\n\n')}\n`;
}
