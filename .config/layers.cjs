// What `npm test -- --project core` tests; the packages are built on it, and have tests of their own.
const core = [
  ['model'],
  ['storage'],
  ['datatypes'],
  ['mapping'],
  ['sources', 'exporters', 'workspace', 'journal', 'notify'],
  ['identity'],
  ['steps'],
  ['pipeline'],
  ['report'],
  ['sandbox'],
  ['app'],
];

// Packages inside: each is entered through its doors alone, and nothing of the core imports them.
const packages = [['fleet'], ['studio']];

// The layers: a folder imports only from folders above it in this list; folders on one line do not import each other.
const layers = [...core, ...packages, ['cli', 'library']];

// The edges know the model and the storage, and nothing else of ours; the sandbox knows nothing of ours but the storage.
const edges = ['sources', 'exporters', 'workspace', 'journal', 'notify'];

const sandboxLayer = layers.findIndex((layer) => layer.includes('sandbox'));

const inside = (folders) => `^src/(${folders.join('|')})/`;

const rules = layers.flatMap((layer, height) =>
  layer.map((folder) => {
    const reachable = edges.includes(folder) ? ['model', 'storage'] : layers.slice(0, height).flat();
    const allowed =
      folder === 'sandbox'
        ? ['storage', folder]
        : [...reachable.filter((f) => f !== 'sandbox' || height > sandboxLayer), folder];
    return {
      name: `layer-${folder}`,
      comment: `src/${folder} may import only from: ${allowed.join(', ')} (see docs/CONTRIBUTING.md)`,
      severity: 'error',
      from: { path: inside([folder]) },
      to: { path: '^src/', pathNot: inside(allowed) },
    };
  }),
);

// A folder with a door is entered through it alone: its index.ts, unless another one is named. The fleet's names are apart,
// because its index loads packages that are optional.
const doors = ['datatypes', 'mapping', 'workspace', 'journal', 'notify', 'sandbox', 'fleet', 'studio'].map(
  (folder) => {
    const door = { fleet: '(index|variables)', studio: 'server/index' }[folder] ?? 'index';
    return {
      name: `door-${folder}`,
      comment: `what others may use of src/${folder} is in ${door}.ts`,
      severity: 'error',
      from: { path: '^src/', pathNot: inside([folder]) },
      to: { path: inside([folder]), pathNot: `^src/${folder}/${door}\\.ts$` },
    };
  },
);

const apart = {
  name: 'core-without-packages',
  comment: 'the core knows nothing of the fleet and the studio: only they themselves and the commands do',
  severity: 'error',
  from: { path: '^src/', pathNot: inside([...packages.flat(), 'cli']) },
  to: { path: inside(packages.flat()) },
};

// Every folder of src/sources but those that are not one format.
const formats = '(?!archive/|dump/|encoding/|workspace/)([^/]+)';

// What stands side by side does not know each other.
const siblings = [
  {
    name: 'formats-apart',
    comment:
      'what several formats share is in src/sources itself; JSON inside of cells is read by json/array-rows.ts',
    severity: 'error',
    from: { path: `^src/sources/${formats}/` },
    to: {
      path: `^src/sources/${formats}/`,
      pathNot: ['^src/sources/$1/', '^src/sources/json/array-rows\\.ts$'],
    },
  },
];

// A room of src/app is a use case. All of them may use app/run; the few that build on others are named here.
const rooms = {
  check: ['import'],
  draft: [],
  export: [],
  forget: ['import'],
  import: ['retry', 'verify'],
  plan: ['import'],
  preview: ['draft', 'retry'],
  prune: ['forget'],
  rehearse: ['import', 'plan'],
  resume: [],
  retry: [],
  run: [],
  schedule: [],
  status: ['export', 'import'],
  undo: ['import'],
  verify: ['export'],
};

// What a command does at a terminal: it calls the use case, and those that it continues with.
const command = '^src/app/[^/]+/[a-z-]+-command\\.ts$';

const useCases = [
  ...Object.entries(rooms).map(([room, others]) => {
    const allowed = [room, 'run', ...others];
    return {
      name: `room-${room}`,
      comment: `src/app/${room} may import only from these rooms: ${allowed.join(', ')}`,
      severity: 'error',
      from: { path: `^src/app/${room}/`, pathNot: command },
      to: { path: '^src/app/', pathNot: `^src/app/(${allowed.join('|')})/` },
    };
  }),
  {
    name: 'no-unknown-room',
    comment: 'every room of src/app is in the list of rooms',
    severity: 'error',
    from: { path: '^src/app/', pathNot: `^src/app/(${Object.keys(rooms).join('|')})/` },
    to: {},
  },
  {
    name: 'commands-on-top',
    comment: 'a command is called by src/cli, and by other commands',
    severity: 'error',
    from: { path: '^src/', pathNot: [command, '^src/cli/'] },
    to: { path: command },
  },
  {
    name: 'work-without-words',
    comment:
      'what works does not know how it is presented: only the files that open and close a run (*-run.ts), commands, and forget import report/; the work of forget is to write lists again',
    severity: 'error',
    from: {
      path: '^src/app/',
      pathNot: '^src/app/([^/]+/report/|run/|forget/|[^/]+/[a-z-]+-(run|command)\\.ts$)',
    },
    to: { path: '^src/(report/|app/[^/]+/report/)', pathNot: '^src/report/liveness\\.ts$' },
  },
];

// The page runs in a browser: it knows what goes over the wire, and nothing of how it is answered.
const studio = [
  {
    name: 'studio-page',
    comment: 'the page imports from itself and src/studio/wire, of its schemas only types',
    severity: 'error',
    from: { path: '^src/studio/page/' },
    to: { path: '^src/', pathNot: '^src/studio/(page/|wire/[^/]+\\.ts$)' },
  },
  {
    name: 'studio-page-packages',
    comment: 'the page is built into one file: what it needs is a devDependency, and nothing of Node',
    severity: 'error',
    from: { path: '^src/studio/page/' },
    to: { dependencyTypes: ['core', 'npm', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
  },
  {
    name: 'studio-wire',
    comment: 'src/studio/wire has types of both sides, and what is pure: of other folders it imports types',
    severity: 'error',
    from: { path: '^src/studio/wire/' },
    to: {
      path: '^src/',
      pathNot: '^src/(studio/wire|model)/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'studio-wire-schemas',
    comment: 'a schema would bring zod into the page: outside of schemas/ only its type is imported',
    severity: 'error',
    from: { path: '^src/studio/wire/[^/]+$' },
    to: { path: '^src/studio/wire/schemas/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'studio-wire-packages',
    severity: 'error',
    from: { path: '^src/studio/wire/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'studio-server',
    comment: 'the server knows nothing of how the page is built',
    severity: 'error',
    from: { path: '^src/studio/server/' },
    to: { path: '^src/studio/page/' },
  },
];

module.exports = {
  forbidden: [
    ...rules,
    ...doors,
    apart,
    ...siblings,
    ...useCases,
    ...studio,
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unknown-folder',
      comment: 'every folder of src is in the list of layers',
      severity: 'error',
      from: { path: '^src/', pathNot: [inside(layers.flat()), '^src/index\\.ts$'] },
      to: {},
    },
    { name: 'not-from-the-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'declared-dependencies',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/studio/page/' },
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
