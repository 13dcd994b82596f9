import type { Workspace } from '../workspace/index.ts';

/** The operations by which an import reads its target workspace. */
export interface WorkspaceReads {
  readonly contacts: Pick<Workspace['contacts'], 'read' | 'list'>;
  readonly customFields: Pick<Workspace['customFields'], 'list'>;
  readonly users: Pick<Workspace['users'], 'list'>;
  readonly closingNotes: Pick<Workspace['closingNotes'], 'list'>;
  readonly paginate: Workspace['paginate'];
}

/**
 * The operations by which an import changes its target workspace. A decorator that replaces all of them can keep the
 * workspace unchanged.
 */
export interface WorkspaceWrites {
  readonly contacts: Pick<Workspace['contacts'], 'create' | 'update' | 'merge' | 'setLifecycle' | 'comment'>;
  readonly conversations: Pick<Workspace['conversations'], 'assign' | 'setStatus'>;
  readonly customFields: Pick<Workspace['customFields'], 'create'>;
  /** The interface lists no tags, so even checking whether a tag exists is a write. */
  readonly tags: Pick<Workspace['tags'], 'create' | 'update' | 'remove'>;
  readonly extensions: Workspace['extensions'];
}

/** The only access of an import to its target workspace: the client, or a decorator of it. */
export type WorkspacePort = WorkspaceReads & WorkspaceWrites & Pick<Workspace, 'through'>;
