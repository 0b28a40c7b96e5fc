package mcts

import "spar/agents/pace"

// Nodes are stored in blocks, so that the tree can grow without moving them. Copying a large tree could take
// longer than a decision may. Siblings are adjacent in one block. A block has more nodes than any position has
// moves.
const (
	blockBits = 12
	blockSize = 1 << blockBits
)

type block [blockSize]node

func nodeAt(blocks []*block, at int32) *node { return &blocks[at>>blockBits][at&(blockSize-1)] }

func (t *tree) node(at int32) *node { return nodeAt(t.blocks, at) }

// children returns the children of a node.
func (t *tree) children(n *node) []node {
	from := n.children & (blockSize - 1)
	return t.blocks[n.children>>blockBits][from : from+int32(n.count)]
}

// blocksFor makes the list of blocks of a tree. Blocks are allocated when they are first needed.
func blocksFor(nodes int) []*block { return make([]*block, nodes>>blockBits+4) }

// plantRoot makes a node the root of an empty tree. Node 0 is never used: 0 means none.
func (t *tree) plantRoot(n node) {
	t.used = 0
	t.root = t.room(2) + 1
	*t.node(0), *t.node(t.root) = node{}, n
}

// room returns the index of the first of n new, uninitialised nodes. In a full tree it returns none.
func (t *tree) room(n int) int32 {
	if at := t.used & (blockSize - 1); at+n > blockSize {
		clear(t.blocks[t.used>>blockBits][at:])
		t.used += blockSize - at
	}
	if b := &t.blocks[t.used>>blockBits]; *b == nil {
		*b = new(block)
	}
	t.used += n
	return int32(t.used - n)
}

// keep copies the subtree of a node to other blocks, level by level. If the deadline passes, nodes whose children
// have not been copied lose them.
func (t *tree) keep(at int32, watch *pace.Watch) {
	old := tree{blocks: t.blocks}
	t.blocks, t.spare = t.spare, t.blocks
	t.plantRoot(*old.node(at))
	for i := t.root; i < int32(t.used); i++ {
		n := t.node(i)
		if n.count == 0 {
			continue
		}
		if watch.Spend(int(n.count)) && i > t.root {
			n.count = 0
			continue
		}
		from := old.children(n)
		n.children = t.room(len(from))
		copy(t.children(n), from)
	}
}
