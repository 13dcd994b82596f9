# Longshore as an image: see docs/running-on-servers.md.
# SQLite is compiled in a stage of its own, against the Node that will run it.
FROM node:22-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci
COPY .config ./.config
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
# Process 1 has to hand on signals and collect children: tini does, Node does not.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /opt/longshore
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY pipelines ./pipelines
COPY mappings ./mappings
COPY fixtures ./fixtures
COPY docs ./docs
COPY README.md ./
RUN ln -s /opt/longshore/dist/command/main.js /usr/local/bin/longshore \
  && chmod 755 /opt/longshore/dist/command/main.js \
  && install -d -o node -g node -m 700 /work
# The work dir is /work/.longshore: a local disk, for SQLite's shared memory does not work on a network file system.
VOLUME /work
WORKDIR /work
USER node
ENTRYPOINT ["tini", "--", "longshore"]
CMD ["--help"]
