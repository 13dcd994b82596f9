import { type SourceFormat, sourceFormat } from '../source-format.ts';
import { workspaceOptions } from './options.ts';
import { workspaceSource } from './source.ts';

const format = sourceFormat('workspace', workspaceOptions, workspaceSource, []);

export const workspace: SourceFormat = {
  ...format,
  // What a workspace gives is never packed.
  options: format.options.omit({ member: true, maxUnpacked: true }),
  live: true,
};
