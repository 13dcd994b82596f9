/** A document with a JSON Schema. */
interface Described {
  readonly describe: string;
  /** Loads and returns the schema; a command that does not print it loads nothing. */
  readonly schema: () => Promise<object>;
}

/** The documents whose JSON Schema the command `schema` prints, by name. */
export const jsonSchemas = {
  fleet: {
    describe: 'fleet.yaml',
    schema: async () => (await import('./run-fleet.ts')).createFleetJsonSchema(),
  },
  mapping: {
    describe: 'the mapping YAML',
    schema: async () => (await import('../mapping/index.ts')).createMappingJsonSchema(),
  },
  pipeline: {
    describe: 'the pipeline YAML',
    schema: async () => (await import('../pipeline/index.ts')).createPipelineJsonSchema(),
  },
  plan: {
    describe: 'what plan --json prints',
    schema: async () => (await import('../app/plan/plan-schema.ts')).createPlanJsonSchema(),
  },
  rehearsal: {
    describe: 'what rehearse --json prints',
    schema: async () => (await import('../app/rehearse/rehearsal-schema.ts')).createRehearsalJsonSchema(),
  },
  seed: {
    describe: 'the seed of a sandbox',
    schema: async () => (await import('../sandbox/index.ts')).createSeedJsonSchema(),
  },
  summary: {
    describe: 'summary.json of a run',
    schema: async () => (await import('../app/import/report/summary-schema.ts')).createSummaryJsonSchema(),
  },
  verification: {
    describe: 'what verify --json prints',
    schema: async () => (await import('../app/verify/report/verification.ts')).createVerificationJsonSchema(),
  },
} as const satisfies Readonly<Record<string, Described>>;

/** The name of a document with a JSON Schema. */
export type JsonSchemaName = keyof typeof jsonSchemas;
