/** Each of the ways in which a POST goes wrong: the connection is lost, or 500 is answered, with its effect or without. */
const ways = [
  (response) => response.destroy(),
  (response, apply) => {
    apply();
    response.destroy();
  },
  (response, _apply, send) => send(response, failed),
  (response, apply, send) => {
    apply();
    send(response, failed);
  },
];

const failed = { status: 500, body: JSON.stringify({ code: 500, message: 'Unexpected error occurred' }) };

/** Gives each POST its fault: that share of them has one, the others null. */
export function faultsOf(share, random) {
  return (method) => {
    if (share === 0 || method !== 'POST' || random() >= share) return null;
    return ways[Math.floor(random() * ways.length)];
  };
}
