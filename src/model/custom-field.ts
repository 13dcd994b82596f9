/** A custom field as the workspace defines it (specification: Custom field); `dataType` may be one we do not know. */
export interface CustomField {
  readonly id: number;
  readonly name: string;
  readonly slug?: string | undefined;
  readonly description?: string | null | undefined;
  readonly dataType: string;
  readonly allowedValues?: readonly string[] | null | undefined;
}

/** The body of a create of a custom field. */
export interface NewCustomField {
  readonly name: string;
  readonly dataType: string;
  readonly slug?: string;
  readonly description?: string;
  readonly allowedValues?: readonly string[];
}

/** A custom-field value as it is sent: numbers and checkboxes unquoted, everything else text, null to clear. */
export type CustomValue = string | number | boolean | null;
