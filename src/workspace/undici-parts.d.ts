// The index of undici loads fetch, web sockets, caches and mocks, too: 90 files that no request of ours needs.
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';

  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export = request;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export = buildConnector;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';

  export = Pool;
}
