/* The seat allocator: combiners of two servers, batches in the database, and everything that may break in between.
 *
 * What is modelled is what `SeatCombiner` and `seat_decide` share out between them: who leads, who waits, what a batch
 * sees and writes, when it is answered, and what a client does that got no answer. What a license is made of (several
 * of them, overdraft, reservations) is not.
 *
 * Checked in every state: no more seats are live than there are; an acknowledged seat is in the database until it has
 * run out or was given back; a generation never comes again; and nobody waits for ever (no invalid end state).
 *
 * Each MUTATION is a way in which this was or might be wrong, and must be caught: `make model`.
 *   1 the batch counts before it has the lock (the snapshot of one statement that also takes it)
 *   2 it is answered before it has committed
 *   3 two requests of one identity go into a batch
 *   4 whoever led does not pass the lead on
 *   5 an expired lease is taken without looking whether it was renewed meanwhile (the sweep outside the lock)
 */
#ifndef MUTATION
#define MUTATION 0
#endif

#define SEATS 1
#ifndef FAULTS
#define FAULTS 2
#endif
#define SERVERS 2
#define CLIENTS 3
#define IDENTITIES 2

/* Two clients are one identity: it asks again, perhaps through the other server, while its first request is still there. */
#define identity(c) ((c) == 2 -> 1 : (c))

mtype = { lead, granted, refused, released, unknown };

/* The database. `dead`: the lease has run out, and nobody has dropped it. `ended`: the newest generation that did. */
bool row[IDENTITIES], dead[IDENTITIES];
byte generation[IDENTITIES], ended[IDENTITIES], acknowledged[IDENTITIES];
byte in_use, clock;
bool locked;

/* The servers' combiners, and the way back to each client. */
bool busy[SERVERS];
chan waiting[SERVERS] = [CLIENTS] of { byte };
chan turn[CLIENTS] = [1] of { mtype };
mtype wanted[CLIENTS];          /* granted: claim; released: release */
byte faults = FAULTS, expiries = 1;  /* how much may go wrong */

#define live(i) (row[i] && !dead[i])
#define is_kept(i) (acknowledged[i] <= ended[i] || (row[i] && generation[i] == acknowledged[i]))
#define is_sound (live(0) + live(1) <= SEATS && in_use == row[0] + row[1] && is_kept(0) && is_kept(1))

/* Told the holder: from here on the seat must be there. */
inline acknowledge(i, g) { if :: g > ended[i] -> acknowledged[i] = g :: else fi }

/* A server falls over: whoever waits there, or is in its batch, hears nothing any more. */
inline fall(s) {
  k = 1;
  do :: k < n -> turn[batch[k]] ! unknown; k++ :: else -> break od;
  do
  :: nempty(waiting[s]) -> waiting[s] ? other; turn[other] ! unknown
  :: empty(waiting[s]) -> break
  od;
  busy[s] = false
}

proctype client(byte me) {
  byte s, other, n, k, i, seen, batch[CLIENTS], mine[CLIENTS];
  mtype answer[CLIENTS], result;
  bool had[CLIENTS], others[IDENTITIES];

  s = me % SERVERS;
  again:
  /* 1. Wait, or lead. */
  atomic {
    if
    :: busy[s] -> waiting[s] ! me; goto wait
    :: else -> busy[s] = true
    fi
  }
  goto batch_up;
  wait:
  turn[me] ? result;
  if :: result != lead -> goto answered :: else fi;

  /* 2. One batch: mine, and of the others one per identity. */
  batch_up:
  atomic {
    batch[0] = me; n = 1;
    others[0] = false; others[1] = false; others[identity(me)] = true;
    k = len(waiting[s]);
    do
    :: k > 0 ->
      waiting[s] ? other; k--;
      if
      :: !others[identity(other)] || MUTATION == 3 -> batch[n] = other; n++; others[identity(other)] = true
      :: else -> waiting[s] ! other
      fi
    :: else -> break
    od
  }

  /* 3. The database decides. */
#if MUTATION == 1
  seen = in_use;
#endif
  atomic {                                                /* nothing changes under the lock */
    !locked -> locked = true;
#if MUTATION != 1
    seen = in_use;
#endif
    k = 0;
    do :: k < n -> had[k] = live(identity(batch[k])); k++ :: else -> break od
  }
#if MUTATION == 2
  d_step {
    k = 0;
    do
    :: k < n ->
      if :: wanted[batch[k]] == granted && had[k] -> acknowledge(identity(batch[k]), generation[identity(batch[k])])
         :: wanted[batch[k]] == granted && !had[k] && seen < SEATS -> acknowledge(identity(batch[k]), clock + 1)
         :: else fi;
      k++
    :: else -> break
    od
  }
#endif
  atomic {
    if
    :: faults > 0 -> faults--; locked = false;            /* broken before the commit: undone, and nobody knows */
      if
      :: fall(s); result = unknown; goto answered         /* with the server */
      :: k = 0; do :: k < n -> answer[k] = unknown; k++ :: else -> break od; goto tell
      fi
    :: true
    fi
  }
  d_step {                                                /* the batch commits */
    k = 0;
    do
    :: k < n ->                                           /* releases first, and leases of claimants that ran out */
      i = identity(batch[k]);
      if
      :: row[i] && (wanted[batch[k]] == released || dead[i]) ->
        row[i] = false; dead[i] = false; in_use--; seen--;
        if :: ended[i] < generation[i] -> ended[i] = generation[i] :: else fi
      :: else
      fi;
      k++
    :: else -> break
    od;
    i = 0;
    do                                                    /* then what else has run out, as far as needed */
    :: i < IDENTITIES ->
      if :: row[i] && dead[i] && seen >= SEATS -> row[i] = false; dead[i] = false; in_use--; seen-- :: else fi;
      i++
    :: else -> break
    od;
    k = 0;
    do
    :: k < n ->
      i = identity(batch[k]);
      assert(had[k] || !row[i]);                          /* the key: one seat per identity, seen by the whole batch */
      if
      :: wanted[batch[k]] == released -> answer[k] = released
      :: wanted[batch[k]] == granted && had[k] && row[i] -> answer[k] = granted; mine[k] = generation[i]
      :: wanted[batch[k]] == granted && !(had[k] && row[i]) && seen < SEATS ->
        clock++; assert(clock > generation[i]);
        row[i] = true; generation[i] = clock; in_use++; seen++;
        answer[k] = granted; mine[k] = clock
      :: else -> answer[k] = refused
      fi;
      k++
    :: else -> break
    od;
    locked = false
  }
  assert(is_sound);
  atomic {
    if
    :: faults > 0 -> faults--;                            /* committed, and the answer is lost */
      if
      :: fall(s); result = unknown; goto answered
      :: k = 0; do :: k < n -> answer[k] = unknown; k++ :: else -> break od
      fi
    :: true
    fi
  }

  /* 4. Tell the others, and pass the lead on. */
  tell:
  atomic {
    k = 0;
    do
    :: k < n ->
      if :: answer[k] == granted -> acknowledge(identity(batch[k]), mine[k]) :: else fi;
      if :: k > 0 -> turn[batch[k]] ! answer[k] :: else -> result = answer[0] fi;
      k++
    :: else -> break
    od
  }
  assert(is_sound);
  atomic {
    if
    :: nempty(waiting[s]) && MUTATION != 4 -> waiting[s] ? other; turn[other] ! lead
    :: nempty(waiting[s]) && MUTATION == 4
    :: empty(waiting[s]) -> busy[s] = false
    fi
  }

  answered: skip;
  d_step {                                                /* forgotten, so that states are few */
    n = 0; k = 0; i = 0; seen = 0; other = 0; others[0] = false; others[1] = false;
    batch[0] = 0; batch[1] = 0; batch[2] = 0; mine[0] = 0; mine[1] = 0; mine[2] = 0;
    answer[0] = 0; answer[1] = 0; answer[2] = 0; had[0] = false; had[1] = false; had[2] = false
  }

  /* 5. No answer: the same again, until there is one. Who holds a seat may give it back. */
  if
  :: result == unknown -> s = 1 - s; goto again           /* through the other server */
  :: result == granted && me == 0 -> wanted[me] = released; goto again
  :: else
  fi
}

/* Leases run out. The holder knows: it stops at `validUntil`, which is no later. */
proctype time() {
  byte i;
  do
  :: expiries > 0 ->
    if :: i = 0 :: i = 1 fi;
    atomic {
      if
      :: live(i) && !locked -> dead[i] = true; ended[i] = generation[i]; expiries--
      :: else
      fi
    }
  :: break
  od
}

#if MUTATION == 5
/* A sweep that found a row expired, and deletes it later without having locked it. */
proctype sweep() {
  byte i;
  if :: i = 0 :: i = 1 fi;
  if
  :: dead[i] -> if :: row[i] -> atomic { row[i] = false; dead[i] = false; in_use-- } :: else fi
  :: else
  fi;
  assert(is_sound)
}
#endif

init {
  atomic {
    wanted[0] = granted; wanted[1] = granted; wanted[2] = granted;
    run client(0); run client(1); run client(2); run time()
#if MUTATION == 5
    ; run sweep()
#endif
  }
}
