/** A user of the workspace (specification: User); team and role may be missing in practice. */
export interface User {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly role?: string | null | undefined;
  readonly team?: { readonly id: number; readonly name: string } | null | undefined;
  readonly restrictions?: readonly string[] | null | undefined;
}
