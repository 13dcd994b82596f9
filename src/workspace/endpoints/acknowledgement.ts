import { z } from 'zod';

/** What a request that changes something answers where it has nothing to show; the code comes as text or as a number. */
export interface Acknowledgement {
  readonly code: string | number;
  readonly message: string;
}

export const acknowledgement = z.looseObject({
  code: z.union([z.string(), z.number()]),
  message: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
});

/** What a change of a contact answers. */
export interface ContactReference {
  readonly contactId: number;
}

export const contactReference = z.looseObject({ contactId: z.int() });
