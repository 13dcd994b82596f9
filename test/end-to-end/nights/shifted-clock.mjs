// Loaded before the command under test (--import): its clock is CLOCK_SHIFT milliseconds away from the machine's.
const shift = Number(process.env.CLOCK_SHIFT);
const Machine = Date;
const now = () => Machine.now() + shift;

globalThis.Date = class extends Machine {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
};
