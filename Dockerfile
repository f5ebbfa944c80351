# docker build -t coterie . && docker run --rm coterie
# docker run --rm -v "$PWD/runs:/home/robot/runs" coterie run pack-objects --seed 7 --html runs/seven.html
FROM python:3.12-slim AS base
# libgomp is what the embedded model computes with
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/coterie

# For .devcontainer: the tools around the source, which is mounted; make sets up the rest in .venv
FROM base AS dev
RUN apt-get update && apt-get install -y --no-install-recommends git make chromium && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --shell /bin/bash robot

FROM base
COPY requirements/embedded.txt requirements/
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements/embedded.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir --no-deps --no-build-isolation . && useradd --create-home --shell /bin/bash robot
USER robot
WORKDIR /home/robot
ENTRYPOINT ["coterie"]
CMD ["demo"]
