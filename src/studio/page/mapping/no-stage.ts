const none =
  /^(?:-+|–|none|null|n\/a|(?:no|keine?|aucune?|ningun[oa]?|nenhuma?)(?: (?:stage|phase|etape|etapa))?)$/;

/**
 * Returns true if an answer is a word for no stage in a language of the page, such as `none` or `keine`, and no stage
 * of the workspace has that name.
 */
export function meansNoStage(answer: string, stages: readonly string[]): boolean {
  const plain = answer.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return none.test(plain) && !stages.some((stage) => stage.toLowerCase() === answer.toLowerCase());
}
