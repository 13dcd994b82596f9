import { notFound, Refusal } from '../refusal.ts';
import { leftOut, objectBody, optionalText, requiredText } from '../rules/body.ts';
import type { Tag } from '../store/tags.ts';
import type { Call, Endpoint } from './endpoint.ts';

const template = '/space/tag';
const described = ['description', 'colorCode', 'emoji'] as const;

const createTag: Endpoint = {
  method: 'POST',
  template,
  creates: true,
  handle(call) {
    const body = objectBody(call.body, ['name', ...described], call.settings.unknownProperties);
    const name = requiredText(body, 'name');
    refuseTaken(call, name);
    return call.store.tags.add({
      name,
      description: optionalText(body, 'description') ?? '',
      emoji: optionalText(body, 'emoji') ?? '',
      colorCode: optionalText(body, 'colorCode') ?? '',
    });
  },
};

const updateTag: Endpoint = {
  method: 'PUT',
  template,
  documents: [404],
  fromClients: (body) => leftOut(body, ['name'], (value) => value === ''),
  handle(call) {
    const known = ['currentName', 'name', ...described];
    const body = objectBody(call.body, known, call.settings.unknownProperties);
    const tag = tagNamed(call, requiredText(body, 'currentName'));
    const name = body.name === undefined ? tag.name : requiredText(body, 'name');
    if (name !== tag.name) refuseTaken(call, name);
    const changed: Tag = {
      id: tag.id,
      name,
      description: optionalText(body, 'description') ?? tag.description,
      emoji: optionalText(body, 'emoji') ?? tag.emoji,
      colorCode: optionalText(body, 'colorCode') ?? tag.colorCode,
    };
    call.store.tags.save(changed);
    return changed;
  },
};

const deleteTag: Endpoint = {
  method: 'DELETE',
  template,
  documents: [404],
  handle(call) {
    const body = objectBody(call.body, ['name'], call.settings.unknownProperties);
    const tag = tagNamed(call, requiredText(body, 'name'));
    call.store.transaction(() => call.store.tags.remove(tag.id));
    return { code: 200, message: 'Tag deleted successfully' };
  },
};

/** Returns the tag of that name, which is case-sensitive: "VIP" and "vip" are two tags; throws a 404 where it is missing. */
function tagNamed(call: Call, name: string): Tag {
  const tag = call.store.tags.named(name);
  if (tag === undefined) throw notFound();
  return tag;
}

function refuseTaken(call: Call, name: string): void {
  if (call.store.tags.named(name) === undefined) return;
  throw new Refusal(call.settings.duplicateTag, `There is a tag "${name}" already.`);
}

export const tagRoutes: readonly Endpoint[] = [createTag, updateTag, deleteTag];
