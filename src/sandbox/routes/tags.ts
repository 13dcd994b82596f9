import { ApiError, createNotFoundError } from '../api-error.ts';
import { omitEmptyProperties, readOptionalText, readRequiredText, requireObjectBody } from '../rules/body.ts';
import type { SandboxTag } from '../store/tags.ts';
import type { RouteCall, SandboxEndpoint } from './endpoint.ts';

const template = '/space/tag';
const described = ['description', 'colorCode', 'emoji'] as const;

const createTag: SandboxEndpoint = {
  method: 'POST',
  template,
  creates: true,
  handle(call) {
    const body = requireObjectBody(call.body, ['name', ...described], call.settings.unknownProperties);
    const name = readRequiredText(body, 'name');
    refuseTaken(call, name);
    return call.store.tags.add({
      name,
      description: readOptionalText(body, 'description') ?? '',
      emoji: readOptionalText(body, 'emoji') ?? '',
      colorCode: readOptionalText(body, 'colorCode') ?? '',
    });
  },
};

const updateTag: SandboxEndpoint = {
  method: 'PUT',
  template,
  documents: [404],
  fromClients: (body) => omitEmptyProperties(body, ['name'], (value) => value === ''),
  handle(call) {
    const known = ['currentName', 'name', ...described];
    const body = requireObjectBody(call.body, known, call.settings.unknownProperties);
    const tag = tagNamed(call, readRequiredText(body, 'currentName'));
    const name = body.name === undefined ? tag.name : readRequiredText(body, 'name');
    if (name !== tag.name) refuseTaken(call, name);
    const changed: SandboxTag = {
      id: tag.id,
      name,
      description: readOptionalText(body, 'description') ?? tag.description,
      emoji: readOptionalText(body, 'emoji') ?? tag.emoji,
      colorCode: readOptionalText(body, 'colorCode') ?? tag.colorCode,
    };
    call.store.tags.save(changed);
    return changed;
  },
};

const deleteTag: SandboxEndpoint = {
  method: 'DELETE',
  template,
  documents: [404],
  handle(call) {
    const body = requireObjectBody(call.body, ['name'], call.settings.unknownProperties);
    const tag = tagNamed(call, readRequiredText(body, 'name'));
    call.store.transaction(() => call.store.tags.remove(tag.id));
    return { code: 200, message: 'Tag deleted successfully' };
  },
};

/**
 * Returns the tag of that name, which is case-sensitive ("VIP" and "vip" are two tags); throws a 404 if there is none.
 */
function tagNamed(call: RouteCall, name: string): SandboxTag {
  const tag = call.store.tags.named(name);
  if (tag === undefined) throw createNotFoundError();
  return tag;
}

function refuseTaken(call: RouteCall, name: string): void {
  if (call.store.tags.named(name) === undefined) return;
  throw new ApiError(call.settings.duplicateTag, `There is a tag "${name}" already.`);
}

export const tagRoutes: readonly SandboxEndpoint[] = [createTag, updateTag, deleteTag];
