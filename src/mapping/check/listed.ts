import { didYouMean } from '../../model/nearest.ts';

const most = 20;

/** What there is in place of a name that is not there: the nearest one, else all of them. */
export function insteadOf(name: string, there: readonly string[]): string {
  const meant = didYouMean(name, there);
  if (meant !== '') return meant;
  return there.length === 0 ? '; it has none' : `; it has ${listed(there)}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  return shown.join(', ') + (names.length > most ? `, and ${names.length - most} more` : '');
}
