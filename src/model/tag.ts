/** A tag of the workspace (specification: Tag). */
export interface Tag {
  readonly id: number;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly emoji?: string | null | undefined;
  readonly colorCode?: string | null | undefined;
}
