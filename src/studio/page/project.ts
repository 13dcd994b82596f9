import { signal } from '@preact/signals';
import type { ProjectInfo } from '../wire/project.ts';

/** The project that the studio was started in; empty values until the session has begun. */
export const project = signal<ProjectInfo>({
  ...{
    folder: '',
    name: '',
    readOnly: true,
    hasFleet: false,
    version: '',
    opened: null,
    workspace: null,
    formats: [],
    rowStates: [],
  },
  typing: { program: 'longshore', allowEnv: [] },
});
