import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { halfEmoji, longText, nastyTexts } from './nasty.ts';
import type { Dice } from './randomness.ts';

export type SeedOf = Exclude<SandboxOptions['seed'], string | undefined>;
export type SeedMessage = NonNullable<SeedOf['messages']>[number];

type Variant = (dice: Dice, text: string) => object | null;

const file = (type: string, name: string) => (_: Dice, text: string) => ({
  type: 'attachment',
  attachment: { type, url: `https://files.example.com/${name}?sig=a%20b&x=1`, fileName: text, size: 12_345 },
});

/** Every shape of a message that the specification shows, and such as it says nothing about. */
const variants: readonly [Variant, ...Variant[]] = [
  (_, text) => ({ type: 'text', text }),
  (dice, text) => ({
    type: 'text',
    text,
    messageTag: dice.pick(['ACCOUNT_UPDATE', 'POST_PURCHASE_UPDATE', 'CONFIRMED_EVENT_UPDATE']),
  }),
  () => ({ type: 'text', text: '' }),
  file('image', 'picture.png'),
  file('video', 'film.mp4'),
  file('file', 'offer.pdf'),
  file('audio', 'voice.ogg'),
  (dice) => ({
    type: 'location',
    latitude: -90 + dice.roll() * 180,
    longitude: -0.000_000_1,
    address: '1 Example St',
  }),
  (_, text) => ({
    type: 'whatsapp_template',
    template: {
      name: 'order_update',
      languageCode: 'en',
      components: [
        {
          type: 'header',
          format: 'image',
          parameters: [{ type: 'image', image: { link: 'https://files.example.com/h.png' } }],
        },
        { type: 'body', text, parameters: [{ type: 'text', text: '=A1' }] },
      ],
    },
  }),
  (_, text) => ({ type: 'quick_reply', title: text, replies: ['Yes', 'No', '+1', '-1'] }),
  (_, text) => ({ type: 'email', subject: text, text: 'body', cc: [], bcc: null }),
  (_, text) => ({ type: 'story_mention', deeply: { nested: [{ in: { lists: [[1, [2, { text }]]] } }] } }),
  () => ({ kind: 'a variant without a type', n: 9_007_199_254_740_991, f: 0.1, yes: true, no: null }),
  () => null,
];

type Sender = (dice: Dice) => { readonly sender?: object | null };

const senders: readonly [Sender, ...Sender[]] = [
  () => ({ sender: { source: 'user', userId: '31', teamId: '7' } }),
  () => ({ sender: { source: 'user', userId: '32' } }),
  // Somebody who is no user any more.
  () => ({ sender: { source: 'user', userId: '99', teamId: null } }),
  () => ({ sender: { source: 'workflow' } }),
  () => ({ sender: { source: 'ai_agent', agent: { id: 5, name: 'Helper' } } }),
  () => ({ sender: { source: 'api', userId: 31 } }),
  () => ({}),
  () => ({ sender: null }),
];

const values: readonly [string, ...string[]] = ['pending', 'sent', 'delivered', 'read'];

/** None to five delivery statuses: in order, backwards, several in a second, or failed for a reason. */
function statuses(dice: Dice, at: number): object[] {
  const many = dice.below(6);
  const found: object[] = Array.from({ length: many }, (_, n) => ({
    value: values[Math.min(n, values.length - 1)],
    timestamp: at + n * dice.below(300),
  }));
  if (dice.below(4) === 0) found.reverse();
  if (dice.below(8) === 0) {
    found.push({
      value: 'failed',
      timestamp: at + 400,
      message: dice.pick(['Number not on the app', '=no,"way"\n']),
    });
  }
  return found;
}

function body(dice: Dice, n: number, at: number, whole: boolean): object {
  const variant = variants[n % variants.length] ?? variants[0];
  const text =
    n === 100 && whole ? longText : n === 101 ? halfEmoji : (nastyTexts[dice.below(nastyTexts.length)] ?? '');
  const traffic = dice.below(2) === 0 ? 'incoming' : 'outgoing';
  const channelMessageId = [
    `wamid.${n}==`,
    n * 1_000_003,
    String(9_007_199_254_740_993n + BigInt(n)),
    null,
    undefined,
  ][n % 5];
  return {
    channelId: 1 + dice.below(4),
    traffic,
    message: variant(dice, text),
    status: statuses(dice, at),
    ...(channelMessageId === undefined ? {} : { channelMessageId }),
    ...(traffic === 'incoming' ? {} : dice.pick(senders)(dice)),
    ...(n % 50 === 0 ? { somethingNew: { of: 'another version' } } : {}),
  };
}

const firstAt = 1_500_000_000;

/**
 * So many messages of these contacts. The first contacts have pages that are full, that have one more, and several of them;
 * every tenth has none. Ids are the microseconds of a message, as they are seen, up to the largest that a number holds.
 */
export function messagesOf(
  contacts: readonly number[],
  count: number,
  dice: Dice,
  whole: boolean,
): SeedMessage[] {
  const heavy = (whole ? [50, 51, 100, 137, 1] : []).flatMap((many, place) =>
    Array<number>(many).fill(contacts[place] ?? 0),
  );
  const talkative = contacts.filter((_, place) => place > 5 && place % 10 !== 9);
  const largest = Number.MAX_SAFE_INTEGER;
  return Array.from({ length: count }, (_, n) => {
    const at = firstAt + n * 60 + dice.below(60);
    const contactId = heavy[n] ?? talkative[dice.below(talkative.length)] ?? 0;
    const messageId = n >= count - 3 ? largest - (count - 1 - n) : at * 1_000_000 + dice.below(1_000_000);
    return Object.assign({ messageId, contactId }, body(dice, n, at, whole));
  });
}
