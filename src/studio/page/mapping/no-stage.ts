const none =
  /^(?:-+|–|none|null|n\/a|(?:no|keine?|aucune?|ningun[oa]?|nenhuma?)(?: (?:stage|phase|etape|etapa))?)$/;

/** Returns true for a word such as `none` or `keine` that is no stage of the workspace. */
export function meansNoStage(answer: string, stages: readonly string[]): boolean {
  const plain = answer.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return none.test(plain) && !stages.some((stage) => stage.toLowerCase() === answer.toLowerCase());
}
