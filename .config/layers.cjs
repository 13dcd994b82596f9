// The house: a folder imports only from folders above it in this list; folders on one line do not import each other.
const floors = [
  ['model'],
  ['storage'],
  ['datatypes'],
  ['mapping'],
  ['sources', 'exporters', 'workspace', 'journal', 'notify'],
  ['identity'],
  ['steps'],
  ['runs'],
  ['report'],
  ['sandbox'],
  ['wiring'],
  ['cli', 'library'],
];

// The edges know the model and the storage, and nothing else of ours; the sandbox knows nothing of ours but the storage.
const edges = ['sources', 'exporters', 'workspace', 'journal', 'notify'];

const sandboxFloor = floors.findIndex((floor) => floor.includes('sandbox'));

const inside = (folders) => `^src/(${folders.join('|')})/`;

const rules = floors.flatMap((floor, height) =>
  floor.map((folder) => {
    const reachable = edges.includes(folder) ? ['model', 'storage'] : floors.slice(0, height).flat();
    const allowed =
      folder === 'sandbox'
        ? ['storage', folder]
        : [...reachable.filter((f) => f !== 'sandbox' || height > sandboxFloor), folder];
    return {
      name: `house-${folder}`,
      comment: `src/${folder} may import only from: ${allowed.join(', ')} (see docs/CONTRIBUTING.md)`,
      severity: 'error',
      from: { path: inside([folder]) },
      to: { path: '^src/', pathNot: inside(allowed) },
    };
  }),
);

module.exports = {
  forbidden: [
    ...rules,
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unknown-room',
      comment: 'every folder of src stands in the list of floors',
      severity: 'error',
      from: { path: '^src/', pathNot: [inside(floors.flat()), '^src/index\\.ts$'] },
      to: {},
    },
    { name: 'not-from-the-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'declared-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
