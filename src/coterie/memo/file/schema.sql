-- `cases` is the global table. The fast table is the top of the index `rank`: Eq. 8 holds at every moment, with no copy
-- that could disagree. The index over structures holds the vectors, too: a new process reads them without the rows.
-- `played` are the episodes that a memo has been through, solved or not. `transitions` are what was done in a state,
-- `trials` how it went when it was used again, `followed` whether an episode that did so got anywhere.
CREATE TABLE cases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, episode TEXT NOT NULL UNIQUE, world TEXT NOT NULL, task TEXT NOT NULL,
    structure TEXT NOT NULL, kin TEXT NOT NULL, freq INTEGER NOT NULL DEFAULT 0, steps INTEGER NOT NULL,
    body TEXT NOT NULL, vector BLOB NOT NULL);
CREATE INDEX cases_structure ON cases (structure, id, vector);
CREATE INDEX cases_kin ON cases (kin, structure);
CREATE INDEX cases_rank ON cases (task, freq DESC, id DESC, structure, kin);
CREATE TABLE plans (id INTEGER PRIMARY KEY, sketch BLOB NOT NULL, outline TEXT NOT NULL, numbers BLOB NOT NULL);
CREATE TABLE uses (episode TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (episode, id)) WITHOUT ROWID;
CREATE INDEX uses_id ON uses (id);
CREATE TABLE lessons (
    id INTEGER PRIMARY KEY AUTOINCREMENT, episode TEXT NOT NULL UNIQUE, scene TEXT NOT NULL, goal TEXT NOT NULL,
    body TEXT NOT NULL);
CREATE INDEX lessons_scene ON lessons (scene, id);
CREATE TABLE costs (episode TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE played (episode TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE transitions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, job TEXT NOT NULL, words TEXT NOT NULL,
    episode TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL, thing TEXT NOT NULL, state TEXT NOT NULL,
    after TEXT NOT NULL, had REAL NOT NULL, partial REAL NOT NULL, won INTEGER NOT NULL, remains INTEGER NOT NULL,
    body TEXT NOT NULL, outline TEXT NOT NULL, numbers BLOB NOT NULL, UNIQUE (episode, round, thing));
CREATE INDEX transitions_state ON transitions (job, thing, state, words);
CREATE TABLE trials (
    whose TEXT NOT NULL, round INTEGER NOT NULL, thing TEXT NOT NULL, episode TEXT NOT NULL, good INTEGER NOT NULL,
    PRIMARY KEY (whose, round, thing, episode)) WITHOUT ROWID;
CREATE TABLE followed (
    id INTEGER PRIMARY KEY AUTOINCREMENT, whose TEXT NOT NULL, round INTEGER NOT NULL, thing TEXT NOT NULL,
    episode TEXT NOT NULL, good INTEGER NOT NULL, UNIQUE (whose, round, thing, episode));
CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO counts VALUES ('generation', 0);
