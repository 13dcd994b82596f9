const checkedWords = new Set(
  `true yes y 1 t on x ✓ checked wahr ja oui vrai si sí verdadero vero sim verdadeiro tak prawda evet doğru ya 是 はい 예 네 да
   active subscribed`.split(/\s+/),
);
const uncheckedWords = new Set(
  `false no n 0 f off unchecked falsch nein nee non faux falso não nao nie fałsz hayır yanlış tidak 否 いいえ 아니오 нет
   inactive unsubscribed`.split(/\s+/),
);

/** The words of a column that say yes and no, and how many cells are neither. */
export interface CheckboxWords {
  readonly checked: readonly string[];
  readonly unchecked: readonly string[];
  readonly others: number;
}

/** What the distinct cells of a column mean as a checkbox; null where none says yes. */
export function checkboxWords(distinct: ReadonlyMap<string, number>): CheckboxWords | null {
  const checked = new Set<string>();
  const unchecked = new Set<string>();
  let others = 0;
  for (const [cell, count] of distinct) {
    const word = cell.toLowerCase();
    if (checkedWords.has(word)) checked.add(word);
    else if (uncheckedWords.has(word)) unchecked.add(word);
    else others += count;
  }
  return checked.size + unchecked.size === 0
    ? null
    : { checked: [...checked], unchecked: [...unchecked], others };
}
